import { EngineError, type EngineErrorCode } from '../errors.ts';
import type { Backend, Judgement, JudgeRequest } from './backend.ts';
import { sampleEvenly, spreadScores } from './deepinfra/sample.ts';
import { normalise, readScores } from './deepinfra/scores.ts';
import { isLoopback, parseServiceUrl, postJson } from './http.ts';
import { redact, redactEach } from './redact.ts';

export const DEEPINFRA_ENDPOINT = 'https://api.deepinfra.com/v1/inference/Qwen/Qwen3-Reranker-0.6B';

// The reranker reads no more of a document than this, so a minified line need not leave whole.
const MAX_DOCUMENT_CHARS = 8192;
const MAX_REPLY_BYTES = 1024 * 1024;

export interface DeepInfraOptions {
  readonly apiKey: string | undefined;
  /** Default `DEEPINFRA_ENDPOINT`. https only, except on loopback: texts and key must not travel in the clear. */
  readonly endpointUrl?: string;
  readonly timeoutMs: number;
  /** The most lines that are sent; of more, an even sample is. */
  readonly maxDocs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly now?: () => number;
}

/**
 * Judges with a reranker in the cloud: lines and goal leave the machine, obvious secrets in them do not (seed 002 §13).
 * Its errors carry `data.warnings` and `data.facts`, for whoever substitutes another backend.
 */
export function createDeepInfraBackend(options: DeepInfraOptions): Backend {
  return {
    name: 'deepinfra',
    async judge(request) {
      request.checkpoint?.();
      try {
        return await rerank(options, request);
      } catch (error) {
        throw error instanceof EngineError ? described(error) : error;
      }
    },
  };
}

async function rerank(options: DeepInfraOptions, request: JudgeRequest): Promise<Judgement> {
  const { texts, goal, signal } = request;
  const { url, apiKey } = checkedTarget(options);
  const wanted = nonBlank(request);
  if (wanted.length === 0) return { scores: new Float64Array(texts.length) };

  const sent = sampleEvenly(wanted, options.maxDocs);
  const redacted = redactEach(texts, [apiKey]);
  const reply = await postJson({
    url,
    body: { queries: [redact(goal, [apiKey])], documents: sent.map((index) => cut(redacted(index))) },
    headers: { authorization: `Bearer ${apiKey}` },
    timeoutMs: Math.min(options.timeoutMs, patience(request)),
    maxBytes: MAX_REPLY_BYTES,
    fetch: options.fetch,
    ...(signal === undefined ? {} : { signal }),
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  const raw = readScores(reply.json, sent.length);
  if (raw === undefined) {
    const data = { status: reply.status };
    throw new EngineError('invalid_response', 'The reranker returned no scores in a known form.', { data });
  }

  const scored = raw.filter((score) => score !== undefined).length;
  return {
    perText: true,
    scores: spreadScores({ length: texts.length, wanted, sent, scores: normalise(raw) }),
    // A text whose blank lines alone were not asked about is judged in full.
    warnings: scored < wanted.length ? ['deepinfra_docs_truncated'] : [],
    facts: {
      deepinfraLatencyMs: reply.durationMs,
      deepinfraDocsScored: scored,
      deepinfraDocsTotal: texts.length,
      deepinfraHttpStatus: reply.status,
      deepinfraCached: false,
    },
  };
}

/** A caller with a deadline is left time for a substitute to judge within it. */
function patience({ timeLeft }: JudgeRequest): number {
  return timeLeft === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(PATIENCE * timeLeft()));
}

const PATIENCE = 0.8;

function checkedTarget(options: DeepInfraOptions): { url: string; apiKey: string } {
  const apiKey = options.apiKey?.trim() ?? '';
  if (apiKey === '') throw new EngineError('config_error', 'DeepInfra needs an API key.');
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new EngineError('config_error', 'The DeepInfra API key has characters that no header can carry.');
  }
  const url = parseServiceUrl(options.endpointUrl ?? DEEPINFRA_ENDPOINT);
  if (url.protocol !== 'https:' && !isLoopback(url)) {
    throw new EngineError('config_error', 'The DeepInfra address must be https.');
  }
  return { url: url.href, apiKey };
}

/** Nothing can be learned from a blank line, and each one sent would cost a place in the sample. */
function nonBlank({ texts }: JudgeRequest): number[] {
  const indexes: number[] = [];
  for (let index = 0; index < texts.length; index += 1) if (texts.at(index).trim() !== '') indexes.push(index);
  return indexes;
}

function cut(text: string): string {
  return text.length > MAX_DOCUMENT_CHARS ? text.slice(0, MAX_DOCUMENT_CHARS) : text;
}

function described(error: EngineError): EngineError {
  const { status } = error.data;
  return new EngineError(error.code, error.message, {
    data: {
      ...error.data,
      warnings: ['deepinfra_error', warningFor(error.code)],
      facts: typeof status === 'number' ? { deepinfraHttpStatus: status } : {},
    },
    cause: error,
  });
}

function warningFor(code: EngineErrorCode): string {
  if (code === 'config_error') return 'deepinfra_config_error';
  return code === 'invalid_response' ? 'deepinfra_parse_error' : 'deepinfra_http_error';
}
