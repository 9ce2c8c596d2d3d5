import { type RpcErrorObject, type RpcId, type RpcRequest, rpcError, type ToolsCallResult } from '@jeeves/protocol';
import { describe, forRequest } from '../host/events.ts';
import { frameOf } from '../host/http/body.ts';
import type { HttpReply, HttpRequest, Route, WholeReply } from '../host/http/route.ts';
import { UNKNOWN_CLIENT } from '../host/initialize.ts';
import { readMessage } from '../host/message.ts';
import { type Checked, type CheckedCall, calledName, checkCall, cutName, issuesInShort } from '../host/params.ts';
import { errorLine, resultLine } from '../host/reply.ts';
import { CallError, type Tool, type ToolOutcome } from '../host/tool.ts';
import type { RouteDependencies } from './dependencies.ts';
import { checkDirectCall, isDirect, type RpcMethods, rpcMethods } from './rpc/methods.ts';
import { createRpcTools } from './rpc/tools.ts';

/** `POST /rpc`: one JSON-RPC message per body, no handshake, no session, replies of any size (seed 002 §3). */
export function createRpcRoute(dependencies: RouteDependencies): Route {
  const { emit, newRequestId, identity } = dependencies;
  const tools = createRpcTools(dependencies);
  const rpc: Rpc = {
    tools,
    methods: rpcMethods({ ...identity, instructions: INSTRUCTIONS }, tools),
    emit,
    newRequestId,
  };
  return { method: 'POST', path: '/rpc', handle: (request) => receive(rpc, request) };
}

const INSTRUCTIONS = [
  'prune_text keeps the lines of a text that serve goal_hint and marks every gap with its line numbers.',
  'recover_text gives any range of the original lines back by the prune_id of that answer.',
].join(' ');

interface Rpc extends Pick<RouteDependencies, 'emit' | 'newRequestId'> {
  readonly tools: readonly Tool[];
  readonly methods: RpcMethods;
}

function receive(rpc: Rpc, request: HttpRequest): HttpReply | Promise<HttpReply> {
  const incoming = readMessage(frameOf(request.body));
  switch (incoming.kind) {
    case 'request':
      return answer(rpc, incoming.message, request);
    case 'unparsable':
      rpc.emit({ event: 'tool.request_parse_failed', data: { message: incoming.why } });
      return errorReply(null, incoming.error);
    case 'invalid':
      rpc.emit({ event: 'tool.request_invalid', data: { message: incoming.why } });
      return errorReply(incoming.id, incoming.error);
    default:
      return { status: 202 };
  }
}

function answer(rpc: Rpc, { id, method, params }: RpcRequest, request: HttpRequest): HttpReply | Promise<HttpReply> {
  if (method === 'tools/call') {
    const name = cutName(calledName(params));
    return call(rpc, { id, request, name, shape: asContent }, checkCall(params, rpc));
  }
  if (isDirect(method)) {
    return call(rpc, { id, request, name: method, shape: asObject }, checkDirectCall(method, params, rpc.tools));
  }
  const run = rpc.methods.get(method);
  if (run === undefined) return errorReply(id, rpcError('method_not_found'));
  const answered = run(params);
  if (answered.ok) return resultReply(id, answered.value);
  rpc.emit({ event: 'tool.request_invalid', data: { message: issuesInShort(answered.error) } });
  return errorReply(id, answered.error);
}

/** One call on its way. */
interface Call {
  readonly id: RpcId;
  readonly request: HttpRequest;
  /** As the caller spelt it, if it did. */
  readonly name: string | undefined;
  readonly shape: (outcome: ToolOutcome) => object;
}

/** Seed 002 §4.1: the answer of a tool is its JSON in a text block. */
function asContent({ text, isError }: ToolOutcome): ToolsCallResult {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}

/** Called as a method of its own, a tool answers with the object itself. */
function asObject({ structured }: ToolOutcome): object {
  return structured;
}

async function call(rpc: Rpc, { id, request, name, shape }: Call, checked: Checked<CheckedCall>): Promise<HttpReply> {
  const requestId = rpc.newRequestId();
  const emit = forRequest(rpc.emit, requestId);
  if (name !== undefined) emit({ event: 'tool.request_received', data: { tool: name } });
  if (!checked.ok) {
    const message = issuesInShort(checked.error);
    emit({ event: 'tool.request_invalid', data: name === undefined ? { message } : { tool: name, message } });
    return errorReply(id, checked.error);
  }
  const { args } = checked.value;
  const { name: tool } = checked.value.tool;
  const { receivedAt } = request;
  emit({ event: 'tool.exec_start', data: { tool } });
  try {
    const outcome = await checked.value.tool.run({
      args,
      requestId,
      client: UNKNOWN_CLIENT,
      // Made when somebody asks for it: pruning does not.
      get signal() {
        return request.signal;
      },
      receivedAt,
      emit,
      progress: () => undefined,
    });
    return {
      ...resultReply(id, shape(outcome)),
      written: () => emit({ event: 'tool.respond_ok', data: { tool, mode: outcome.mode } }),
      failed: ({ message }) => emit({ event: 'tool.respond_failed', data: { tool, message } }),
    };
  } catch (cause) {
    if (cause instanceof CallError) return errorReply(id, cause.error);
    emit({ event: 'tool.internal_error', data: { tool, ...describe(cause) } });
    return errorReply(id, rpcError('internal_error'));
  }
}

// Errors of JSON-RPC are answers like any other: the status is about HTTP.
function errorReply(id: RpcId | null, error: RpcErrorObject): WholeReply {
  return { status: 200, body: errorLine(id, error) };
}

function resultReply(id: RpcId, result: object): WholeReply {
  return { status: 200, body: resultLine(id, result) };
}
