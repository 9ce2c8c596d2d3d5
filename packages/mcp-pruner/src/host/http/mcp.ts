import {
  httpError,
  INITIALIZE_PARAMS,
  type RpcErrorObject,
  type RpcId,
  type RpcRequest,
  rpcError,
} from '@jeeves/protocol';
import { createDispatcher } from '../dispatch.ts';
import { clientOf, UNKNOWN_CLIENT } from '../initialize.ts';
import { type Incoming, readMessage } from '../message.ts';
import type { HostOptions } from '../options.ts';
import { progressToken } from '../params.ts';
import { errorLine, resultLine } from '../reply.ts';
import type { Client } from '../tool.ts';
import { frameOf } from './body.ts';
import { checkModern, discoverResult, reviseFor, unsupportedVersion } from './modern.ts';
import { createReplies, streamedReply, wholeReply } from './replies.ts';
import { acceptsBothForms, type Era, eraOf, textOf } from './revision.ts';
import { type HttpReply, type HttpRequest, jsonReply, type Route } from './route.ts';
import { newSession, readSession } from './session.ts';
import { createUnderWay, type UnderWay } from './under-way.ts';

export interface McpRouteOptions {
  /**
   * What is served to a caller with the token, and to one without. The same object every time, unless the caller has a
   * session: its id is random and ours, so it tells one caller from the others.
   */
  readonly host: (trusted: boolean, session: string | undefined) => HostOptions;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Default `/mcp`. */
  readonly path?: string;
}

/** One post on its way: what it says, and whom it is from. */
interface Post {
  readonly http: HttpRequest;
  readonly era: Era;
  readonly incoming: Incoming;
  readonly options: HostOptions;
  readonly client: Client;
  readonly session: string | undefined;
}

/**
 * MCP over HTTP, one message per post and nothing remembered between two of them. Serves plain JSON-RPC posts, the
 * revisions with a handshake and the one without, each by its own rules.
 */
export function createMcpRoute({ host, randomBytes, path = '/mcp' }: McpRouteOptions): Route {
  const underWay = createUnderWay();
  const modernOf = derivedOptions();

  async function handle(http: HttpRequest): Promise<HttpReply> {
    const era = eraOf(http.headers);
    if (era.kind !== 'bare' && !acceptsBothForms(http.headers)) return notAcceptable();
    const incoming = readMessage(frameOf(http.body));
    if (era.kind === 'unknown') return errorReply(400, idOf(incoming), unsupportedVersion(era.version));
    const session = era.kind === 'legacy' ? textOf(http.headers['mcp-session-id']) : undefined;
    const client = session === undefined ? UNKNOWN_CLIENT : readSession(session);
    if (client === undefined) return noSuchSession();
    if (era.kind === 'legacy' && session === undefined && !isGreeting(incoming)) return sessionNeeded();
    const post: Post = { http, era, incoming, options: host(http.trusted, session), client, session };
    if (incoming.kind !== 'request') return takeOther(post, underWay);
    if (era.kind === 'modern') return await handleModern(post, incoming.message);
    const reply = await answer(post, incoming.message, underWay);
    return incoming.message.method === 'initialize' ? withSession(reply, incoming.message) : reply;
  }

  async function handleModern(post: Post, message: RpcRequest): Promise<HttpReply> {
    const checked = checkModern(message, post.http.headers);
    if (!checked.ok) return errorReply(400, message.id, checked.error);
    const options = modernOf(post.options);
    if (message.method === 'server/discover') {
      const result = options.revise?.(discoverResult(options.server), message.method);
      return { status: 200, body: resultLine(message.id, result) };
    }
    return await answer({ ...post, options, client: checked.client }, message, underWay);
  }

  function withSession(reply: HttpReply, { params }: RpcRequest): HttpReply {
    const greeted = INITIALIZE_PARAMS.safeParse(params);
    if (!greeted.success) return reply;
    return { ...reply, headers: { 'mcp-session-id': newSession(clientOf(greeted.data), randomBytes) } };
  }

  return { method: 'POST', path, handle };
}

/** Whatever asks for no answer, and what cannot be answered to an id. */
function takeOther({ era, incoming, options, client, session }: Post, underWay: UnderWay): HttpReply {
  if (incoming.kind === 'notification' && incoming.message.method === 'notifications/cancelled') {
    underWay.cancel(session, incoming.message.params);
  }
  const replies = createReplies();
  createDispatcher(options, replies.send, client).take(incoming);
  return wholeReply(replies.last(), era.kind === 'bare' ? 200 : 400);
}

async function answer(post: Post, message: RpcRequest, underWay: UnderWay): Promise<HttpReply> {
  const { http, era, options, client, session } = post;
  const replies = createReplies();
  const dispatcher = createDispatcher(options, replies.send, client);
  const { id, method, params } = message;
  if (era.kind === 'modern' && (REMOVED.has(method) || !dispatcher.knows(method))) {
    return errorReply(404, id, rpcError('method_not_found'));
  }
  const run = async (): Promise<void> => {
    const done = underWay.add(session, id, dispatcher);
    // With a handshake, a lost connection means nothing: such a client says so when it wants no answer.
    const signal = era.kind === 'legacy' ? http.stopping : http.signal;
    const cancel = (): void => dispatcher.cancelAll();
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    dispatcher.take({ kind: 'request', message });
    await dispatcher.settled();
    signal.removeEventListener('abort', cancel);
    done();
  };
  if (method === 'tools/call' && era.kind !== 'bare' && progressToken(params) !== undefined) {
    return streamedReply(run, replies);
  }
  await run();
  return wholeReply(replies.last(), 200);
}

// Methods of the handshake's revisions that the later one has no more.
const REMOVED: ReadonlySet<string> = new Set(['initialize', 'notifications/initialized', 'ping']);

function idOf(incoming: Incoming): RpcId | null {
  if (incoming.kind === 'request') return incoming.message.id;
  return incoming.kind === 'invalid' ? incoming.id : null;
}

/** The same options with what the revision adds, made once for each. */
function derivedOptions(): (options: HostOptions) => HostOptions {
  const made = new WeakMap<HostOptions, HostOptions>();
  return (options) => {
    const known = made.get(options) ?? { ...options, revise: reviseFor(options.server) };
    made.set(options, known);
    return known;
  };
}

function errorReply(status: number, id: RpcId | null, error: RpcErrorObject): HttpReply {
  return { status, body: errorLine(id, error) };
}

function notAcceptable(): HttpReply {
  const { status, body } = httpError('not_acceptable', 'accept application/json and text/event-stream');
  return jsonReply(status, body);
}

function isGreeting(incoming: Incoming): boolean {
  return incoming.kind === 'request' && incoming.message.method === 'initialize';
}

function sessionNeeded(): HttpReply {
  const { status, body } = httpError('bad_request', 'send the Mcp-Session-Id that initialize gave');
  return jsonReply(status, body);
}

function noSuchSession(): HttpReply {
  const { status, body } = httpError('not_found', 'no such session: initialize again');
  return jsonReply(status, body);
}
