import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpError } from '@jeeves/protocol';
import type { HttpReply, StreamedReply, WholeReply } from './route.ts';

/** One request and its reply. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborted when the caller is gone or nobody will be answered any more. */
  readonly signal: () => AbortSignal;
  readonly abort: () => void;
  /** The caller cannot be answered any more. */
  readonly gone: () => boolean;
  readonly send: (reply: HttpReply) => Promise<void>;
  readonly refuse: (error: HttpError, headers?: Readonly<Record<string, string>>) => void;
}

export interface ExchangeOptions {
  /** For the caller to take a reply that is ready. */
  readonly replyMs: number;
  /** Whether the connection is of use after this. */
  readonly keepAlive: () => boolean;
  /** Counts the bytes of a reply that is not taken at once; given back with a negative number. */
  readonly hold: (bytes: number) => void;
  /** The caller has its reply, or never will. */
  readonly closed: () => void;
}

const LINGER_MS = 2000;
// A reader that is this far behind a stream has stopped reading.
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

const COMMON = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

export function createExchange(request: IncomingMessage, response: ServerResponse, options: ExchangeOptions): Exchange {
  const interest = createLazySignal();
  let over: WholeReply | undefined;
  let gone = false;
  let delivered = false;
  let held = 0;

  response.on('error', () => undefined);
  // Also said of a connection that was cut off, so it counts only where there still is one.
  response.on('finish', () => {
    delivered = !request.socket.destroyed;
  });
  response.on('close', () => {
    gone = true;
    if (held > 0) options.hold(-held);
    if (delivered) over?.written?.();
    else {
      over?.failed?.(new Error('the caller is gone'));
      interest.abort();
    }
    options.closed();
  });

  function head(headers: Headers): Headers {
    return { ...COMMON, ...headers, ...(!options.keepAlive() && { connection: 'close' }) };
  }

  function sendWhole(reply: WholeReply): void {
    if (gone) return reply.failed?.(new Error('the caller is gone'));
    over = reply;
    watch(writeWhole(response, reply, head));
  }

  /** A small reply is with the operating system by now. A large one waits for its reader, though not for ever. */
  function watch(length: number): void {
    if (gone || response.socket === null || response.socket.writableLength === 0) return;
    held = length;
    options.hold(held);
    const timer = setTimeout(() => response.destroy(), options.replyMs);
    response.once('close', () => clearTimeout(timer));
  }

  async function sendStream({ status, headers, stream }: StreamedReply): Promise<void> {
    if (gone) return;
    response.writeHead(status, { ...head(headers) });
    response.flushHeaders();
    await stream((piece) => {
      if (gone) return;
      response.write(piece);
      if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
    });
    if (gone) return;
    response.end();
    watch(response.writableLength);
  }

  function refuse({ status, body }: HttpError, headers: Readonly<Record<string, string>> = {}): void {
    request.resume();
    sendWhole({ status, headers, body: JSON.stringify(body) });
    if (!request.complete) linger(request);
  }

  return {
    request,
    response,
    signal: interest.signal,
    abort: interest.abort,
    gone: () => gone,
    send: async (reply) => ('stream' in reply ? await sendStream(reply) : sendWhole(reply)),
    refuse,
  };
}

interface LazySignal {
  readonly signal: () => AbortSignal;
  readonly abort: () => void;
}

/** Made when somebody asks: most work is done before anybody could lose interest. */
function createLazySignal(): LazySignal {
  let controller: AbortController | undefined;
  let aborted = false;
  return {
    signal: () => {
      controller ??= new AbortController();
      if (aborted) controller.abort();
      return controller.signal;
    },
    abort: () => {
      aborted = true;
      controller?.abort();
    },
  };
}

type Headers = Readonly<Record<string, string | number>>;

/** Gives the length of the body. */
function writeWhole(response: ServerResponse, reply: WholeReply, head: (headers: Headers) => Headers): number {
  const { status, headers, body = [] } = reply;
  const length =
    typeof body === 'string' ? Buffer.byteLength(body) : body.reduce((sum, piece) => sum + piece.length, 0);
  const type = reply.body === undefined ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...head({ ...type, ...headers, 'content-length': length }) });
  // A text goes out together with the head, in one piece.
  if (typeof body === 'string') response.end(body);
  else {
    for (const piece of body) response.write(piece);
    response.end();
  }
  return length;
}

/** A caller that was turned away in the middle of its body may finish for a while, so that it gets to read why. */
function linger(request: IncomingMessage): void {
  const timer = setTimeout(() => request.complete || request.destroy(), LINGER_MS);
  request.once('close', () => clearTimeout(timer));
}
