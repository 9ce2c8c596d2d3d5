import { EngineError } from '../errors.ts';
import { Lines, type TextList } from '../split.ts';
import { align } from './align.ts';
import type { Backend, Judgement, JudgeRequest } from './backend.ts';
import { postJson, utf8Bytes } from './http.ts';

const TEXT_FIELDS = ['pruned_code', 'content', 'text'] as const;
const KIB = 1024;

export interface SwePrunerOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  /** How sure the service must be of a line to keep it; its own default (0.5) when absent. */
  readonly threshold?: number;
}

export interface ServiceRequest extends SwePrunerOptions {
  readonly text: string;
  readonly goal: string;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

export interface ServiceAnswer {
  /** The service's text as it came. */
  readonly text: string;
  readonly aligned: boolean;
  /** One flag per line sent; present when the text could be aligned. */
  readonly kept?: Uint8Array;
  readonly durationMs: number;
}

/** Judges with a pruning service: a line it kept scores 1, a line it cut 0. */
export function createSwePrunerBackend(options: SwePrunerOptions): Backend {
  return { name: 'swe-pruner', judge: (request) => judge(options, request) };
}

/** Asks the service to prune one text. A service that keeps nothing, or says it failed, is `invalid_response`. */
export async function askService(request: ServiceRequest): Promise<ServiceAnswer> {
  const { text, goal, threshold, ...call } = request;
  const sentBytes = utf8Bytes(text);
  const body = { code: text, query: goal.trim(), ...(threshold === undefined ? {} : { threshold }) };
  // Real services send a score per token beside the text, far more than the text itself.
  const reply = await postJson({ ...call, body, maxBytes: 20 * sentBytes + KIB * KIB });
  const answer = readAnswer(reply.json);
  if (utf8Bytes(answer.text) > 2 * sentBytes + 64 * KIB) throw invalid('returned far more text than it was sent');
  if (answer.text === '' && text !== '') throw invalid('returned an empty text');
  const lines = new Lines(text);
  const found = align(lines, answer.text, answer.keptFrags);
  if (!found.aligned) return { text: answer.text, aligned: false, durationMs: reply.durationMs };
  if (text !== '' && !keepsSomething(lines, found.kept)) throw invalid('kept none of the lines');
  return { text: answer.text, aligned: true, kept: found.kept, durationMs: reply.durationMs };
}

async function judge(options: SwePrunerOptions, request: JudgeRequest): Promise<Judgement> {
  const { texts, goal, signal } = request;
  const scores = new Float64Array(texts.length);
  if (texts.length === 0) return { scores };
  request.checkpoint?.();
  const { text, ownerOf } = asOneText(texts);
  const answer = await askService({ ...options, text, goal, ...(signal === undefined ? {} : { signal }) });
  if (answer.kept === undefined) throw invalid('returned a text that is not a selection of the lines sent');
  answer.kept.forEach((flag, line) => {
    if (flag === 1) scores[ownerOf(line)] = 1;
  });
  return { scores };
}

/** Items may hold several lines, so each line of the joined text remembers whose it is. */
function asOneText(texts: TextList): { text: string; ownerOf: (line: number) => number } {
  if (texts instanceof Lines) return { text: texts.text, ownerOf: (line) => line };
  const owners: number[] = [];
  const parts: string[] = [];
  for (let index = 0; index < texts.length; index += 1) {
    const part = `${texts.at(index)}\n`;
    parts.push(part);
    for (let line = new Lines(part).length; line > 0; line -= 1) owners.push(index);
  }
  return { text: parts.join(''), ownerOf: (line) => owners[line] ?? 0 };
}

function readAnswer(json: unknown): { text: string; keptFrags?: readonly number[] } {
  if (typeof json !== 'object' || json === null) throw invalid('did not return an object');
  const fields = json as Readonly<Record<string, unknown>>;
  if ((fields['error_msg'] ?? null) !== null) throw invalid('reported an error');
  const name = TEXT_FIELDS.find((field) => typeof fields[field] === 'string');
  if (name === undefined) throw invalid('did not return a text');
  const frags = fields['kept_frags'];
  const text = fields[name] as string;
  return isNumberList(frags) ? { text, keptFrags: frags } : { text };
}

function isNumberList(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'number');
}

function keepsSomething(lines: Lines, kept: Uint8Array): boolean {
  return kept.some((flag, index) => flag === 1 && lines.at(index).trim() !== '');
}

function invalid(what: string): EngineError {
  return new EngineError('invalid_response', `The pruning service ${what}.`);
}
