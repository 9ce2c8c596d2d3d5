import { messageOf, UpstreamFailure } from './failure.ts';
import { createPending, type Pending, type RequestOptions } from './pending.ts';
import type { JsonObject } from './upstream.ts';
import type { OpenWire, Wire } from './wire.ts';

/** A JSON-RPC client over one wire. */
export interface Rpc {
  /** Rejects with an `UpstreamFailure`, or with the reason of an abort. */
  readonly request: (method: string, params: JsonObject, options: RequestOptions) => Promise<unknown>;
  readonly notify: (method: string) => void;
  readonly agreed: (protocolVersion: string) => void;
  readonly close: () => Promise<void>;
}

export interface RpcEvents {
  readonly notified: (method: string) => void;
  readonly closed: (why: string) => void;
}

const METHOD_NOT_FOUND = -32_601;

export async function openRpc(openWire: OpenWire, events: RpcEvents): Promise<Rpc> {
  const pending = createPending();
  let lastId = 0;
  let gone: UpstreamFailure | undefined;

  function received(message: JsonObject): void {
    const { id, method, params } = message;
    if (typeof method !== 'string') settle(message, pending);
    else if (id !== undefined) send(answerTo(id, method));
    else if (method === 'notifications/progress') report(params, pending);
    else events.notified(method);
  }

  function closed(why: string): void {
    if (gone !== undefined) return;
    gone = new UpstreamFailure('exited', why);
    pending.rejectAll(gone);
    events.closed(why);
  }

  const wire: Wire = await openWire({
    message: received,
    unreadable: (why) => pending.rejectAll(new UpstreamFailure('unusable_answer', why)),
    closed,
  });

  function send(message: JsonObject): void {
    wire.send(message).catch((error: unknown) => {
      const { id } = message;
      if (typeof id === 'number') pending.reject(id, new UpstreamFailure('exited', messageOf(error), { cause: error }));
    });
  }

  function request(method: string, params: JsonObject, options: RequestOptions): Promise<unknown> {
    if (gone !== undefined) return Promise.reject(gone);
    if (options.signal?.aborted === true) return Promise.reject(options.signal.reason);
    lastId += 1;
    const id = lastId;
    const answer = pending.add(id, options, (reason) => {
      // A handshake cannot be cancelled.
      if (method === 'initialize') return;
      send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason } });
    });
    const tracked = options.progress === undefined ? params : { ...params, _meta: { progressToken: id } };
    send({ jsonrpc: '2.0', id, method, params: tracked });
    return answer;
  }

  return {
    request,
    notify: (method) => send({ jsonrpc: '2.0', method }),
    agreed: (version) => wire.agreed?.(version),
    close: wire.close,
  };
}

function settle({ id, result, error }: JsonObject, pending: Pending): void {
  // Some servers send our number back as a string.
  const number = Number(id);
  if (error === undefined) pending.resolve(number, result);
  else pending.reject(number, new UpstreamFailure('upstream_error', errorText(error)));
}

/** Servers may ask their client things. A ping is answered; the agent behind the gateway is asked nothing. */
function answerTo(id: unknown, method: string): JsonObject {
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
  return { jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message: 'method_not_found' } };
}

function report(params: unknown, pending: Pending): void {
  if (typeof params !== 'object' || params === null) return;
  const { progressToken, message, progress, total } = params as JsonObject;
  const counted = [progress, total].filter((number) => typeof number === 'number').join(' of ');
  pending.progress(Number(progressToken), typeof message === 'string' ? message : counted);
}

/** The server's own words, cut: they go to an agent. */
function errorText(error: unknown): string {
  const { code, message } = typeof error === 'object' && error !== null ? (error as JsonObject) : {};
  const text = typeof message === 'string' ? message.slice(0, MAX_ERROR_LENGTH) : 'without a message';
  return typeof code === 'number' ? `${text} (code ${code})` : text;
}

const MAX_ERROR_LENGTH = 4000;
