import { EngineError } from '../errors.ts';

// Timers beyond this fire at once instead of late.
const LONGEST_TIMER_MS = 0x7fff_ffff;

export interface PostJsonRequest {
  readonly url: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** One deadline over connection, headers and body: a body that drips must not outlive it. */
  readonly timeoutMs: number;
  /** The most bytes of body that are read; a longer one is `invalid_response`. */
  readonly maxBytes: number;
  /** Ends the call early, as `timeout` unless the signal's reason is an `EngineError` itself. */
  readonly signal?: AbortSignal;
  readonly fetch: typeof globalThis.fetch;
  readonly now?: () => number;
}

export interface JsonReply {
  readonly status: number;
  readonly json: unknown;
  readonly durationMs: number;
}

/**
 * Sends one JSON request and reads one JSON reply of any 2xx status.
 * Throws `http_error` when no complete 2xx reply came, `timeout` past the deadline, `invalid_response` when the reply is
 * complete but unusable. No message holds the address, a header or any part of a body: all three can carry secrets.
 */
export async function postJson(request: PostJsonRequest): Promise<JsonReply> {
  const now = request.now ?? (() => performance.now());
  const started = now();
  const deadline = startDeadline(request.timeoutMs, request.signal);
  try {
    const { status, json } = await Promise.race([exchange(request, deadline.signal), deadline.passed]);
    return { status, json, durationMs: Math.max(0, Math.round(now() - started)) };
  } catch (error) {
    throw error instanceof EngineError ? error : unreachable(error);
  } finally {
    deadline.stop();
  }
}

/** The address as a URL, or `config_error` when it is none, is not http(s), or names a link-local host. */
export function parseServiceUrl(address: string): URL {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new EngineError('config_error', 'The service address is not a URL.');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new EngineError('config_error', 'The service address is neither http nor https.');
  }
  if (isLinkLocal(url.hostname)) {
    throw new EngineError('config_error', 'The service address is link-local, where cloud metadata is served.');
  }
  return url;
}

export function isLoopback(url: URL): boolean {
  const host = url.hostname;
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

async function exchange(request: PostJsonRequest, signal: AbortSignal): Promise<{ status: number; json: unknown }> {
  const url = parseServiceUrl(request.url);
  const response = await request.fetch(withoutUserinfo(url), {
    method: 'POST',
    body: JSON.stringify(request.body),
    headers: {
      ...basicAuthorization(url),
      ...request.headers,
      'content-type': 'application/json',
      accept: 'application/json',
      // A compressed reply could expand past any cap before we see a byte of it.
      'accept-encoding': 'identity',
      // A pooled connection may be closed by the other side just as it is used again, and a POST is not retried.
      connection: 'close',
    },
    // A followed 307 would hand text and credentials to an address nobody configured.
    redirect: 'manual',
    signal,
  });
  const { status } = response;
  if (!response.ok)
    throw new EngineError('http_error', `The service answered with status ${status}.`, { data: { status } });
  return { status, json: parseJson(await readBody(response, request.maxBytes), status) };
}

async function readBody(response: Response, maxBytes: number): Promise<string> {
  const { status, headers, body } = response;
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') throw unusable('is compressed', status);
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw unusable('is too large', status);
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  let bytes = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    bytes += chunk.value.byteLength;
    if (bytes > maxBytes) throw unusable('is too large', status);
    parts.push(decodeUtf8(decoder, chunk.value, status));
  }
  parts.push(decodeUtf8(decoder, undefined, status));
  return parts.join('');
}

/** Without a chunk, ends the text: a character cut in half at the very end is an error too. */
function decodeUtf8(decoder: TextDecoder, chunk: Uint8Array | undefined, status: number): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw unusable('is not UTF-8', status);
  }
}

function parseJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw unusable('is not JSON', status);
  }
}

function unusable(why: string, status: number): EngineError {
  return new EngineError('invalid_response', `The service's reply ${why}.`, { data: { status } });
}

/** Only the system's error name is passed on: fetch quotes addresses and header values in its own messages. */
function unreachable(error: unknown): EngineError {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const name: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const known = typeof name === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(name);
  return new EngineError('http_error', `The service could not be reached${known ? ` (${name})` : ''}.`);
}

interface Deadline {
  readonly signal: AbortSignal;
  /** Rejects when time is up or the caller gives up; awaited beside the exchange in case fetch ignores its signal. */
  readonly passed: Promise<never>;
  stop(): void;
}

function startDeadline(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const passed = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  const onOuterAbort = (): void => controller.abort(outerReason(outer));
  const onTimer = (): void =>
    controller.abort(new EngineError('timeout', `The service did not answer within ${timeoutMs} ms.`));
  const timer = setTimeout(onTimer, Math.min(timeoutMs, LONGEST_TIMER_MS));
  outer?.addEventListener('abort', onOuterAbort, { once: true });
  if (outer?.aborted === true) onOuterAbort();
  return {
    signal,
    passed,
    stop() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onOuterAbort);
      // Whatever was left unread goes with its socket; after a complete exchange this does nothing.
      controller.abort();
    },
  };
}

function outerReason(signal: AbortSignal | undefined): EngineError {
  const reason: unknown = signal?.reason;
  return reason instanceof EngineError ? reason : new EngineError('timeout', 'The caller ended the call.');
}

function withoutUserinfo(url: URL): string {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare.href;
}

/** fetch refuses addresses with a user name in them (and quotes the password); the header says the same. */
function basicAuthorization(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {};
  const bytes = new TextEncoder().encode(`${unescapePercent(url.username)}:${unescapePercent(url.password)}`);
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

function unescapePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** URL parsing has brought every spelling of an address to one form, also IPv4 inside IPv6. */
export function isLinkLocal(host: string): boolean {
  return host.startsWith('169.254.') || /^\[(?:fe[89ab][0-9a-f]:|(?:::ffff:|::|64:ff9b::)a9fe:)/.test(host);
}
