import {
  INITIALIZE_PARAMS,
  type RpcRequest,
  rpcError,
  TOOLS_LIST_PARAMS,
  type ToolsListResult,
  toolInputSchema,
} from '@jeeves/protocol';
import { callTool } from './call.ts';
import { createCalls } from './calls.ts';
import { describe } from './events.ts';
import type { Frame } from './framing.ts';
import { clientOf, initializeResult, UNKNOWN_CLIENT } from './initialize.ts';
import { readMessage } from './message.ts';
import type { HostOptions } from './options.ts';
import type { Send } from './outgoing.ts';
import { type Checked, checkParams, issuesInShort, NO_PARAMS } from './params.ts';
import { errorLine, resultLine } from './reply.ts';
import type { Client } from './tool.ts';

/** One connection: takes frames, sends exactly one reply per request and none for anything else. */
export interface Dispatcher {
  readonly receive: (frame: Frame) => void;
  /** Aborts every call. Nothing is sent for them. */
  readonly cancelAll: () => void;
  /** Resolves when no call is under way. */
  readonly settled: () => Promise<void>;
}

export function createDispatcher(options: HostOptions, send: Send, greeted: Client = UNKNOWN_CLIENT): Dispatcher {
  const calls = createCalls(options.limits);
  const { emit } = options;
  let client = greeted;
  const methods = methodsOf(options, (introduced) => {
    client = introduced;
  });

  function receive(frame: Frame): void {
    const incoming = readMessage(frame);
    switch (incoming.kind) {
      case 'request':
        if (incoming.message.method === 'tools/call') callTool(incoming.message, { options, client, calls, send });
        else answer(incoming.message);
        break;
      case 'notification':
        if (incoming.message.method === 'notifications/cancelled') cancel(incoming.message.params);
        break;
      case 'unparsable':
        emit({ event: 'tool.request_parse_failed', data: { message: incoming.why } });
        send({ line: errorLine(null, incoming.error) });
        break;
      case 'invalid':
        emit({ event: 'tool.request_invalid', data: { message: incoming.why } });
        send({ line: errorLine(incoming.id, incoming.error) });
        break;
      case 'ignored':
        break;
    }
  }

  function answer({ id, method, params }: RpcRequest): void {
    const run = methods.get(method);
    if (run === undefined) return send({ line: errorLine(id, rpcError('method_not_found')) });
    try {
      const answered = run(params);
      if (answered.ok) return send({ line: resultLine(id, answered.value) });
      emit({ event: 'tool.request_invalid', data: { message: issuesInShort(answered.error) } });
      send({ line: errorLine(id, answered.error) });
    } catch (cause) {
      emit({ event: 'tool.internal_error', data: describe(cause) });
      send({ line: errorLine(id, rpcError('internal_error')) });
    }
  }

  function cancel(params: unknown): void {
    const id: unknown = typeof params === 'object' && params !== null && 'requestId' in params && params.requestId;
    if (typeof id === 'string' || typeof id === 'number') calls.cancel(id);
  }

  return { receive, cancelAll: calls.cancelAll, settled: calls.settled };
}

type Method = (params: unknown) => Checked<unknown>;

/** Everything that is answered at once; `tools/call` is not. */
function methodsOf(options: HostOptions, introduce: (client: Client) => void): ReadonlyMap<string, Method> {
  let listing: ToolsListResult | undefined;
  const initialize: Method = (params) => {
    const checked = checkParams('initialize', INITIALIZE_PARAMS, params);
    if (!checked.ok) return checked;
    introduce(clientOf(checked.value));
    return { ok: true, value: initializeResult(options.server, checked.value) };
  };
  return new Map<string, Method>([
    ['initialize', initialize],
    ['ping', (params) => emptyWhere(checkParams('ping', NO_PARAMS, params))],
    listed('tools/list', () => (listing ??= toolListing(options))),
    listed('resources/list', () => ({ resources: [] })),
    listed('resources/templates/list', () => ({ resourceTemplates: [] })),
    listed('prompts/list', () => ({ prompts: [] })),
  ]);
}

function listed(method: string, result: () => object): [string, Method] {
  const run: Method = (params) => {
    const checked = checkParams(method, TOOLS_LIST_PARAMS.optional(), params);
    return checked.ok ? { ok: true, value: result() } : checked;
  };
  return [method, run];
}

function emptyWhere(checked: Checked<unknown>): Checked<object> {
  return checked.ok ? { ok: true, value: {} } : checked;
}

function toolListing({ tools, toolMeta }: HostOptions): ToolsListResult {
  return {
    tools: tools.map(({ definition }) => ({
      name: definition.name,
      title: definition.title,
      description: definition.description,
      inputSchema: toolInputSchema(definition),
      annotations: { ...definition.annotations },
      ...(toolMeta !== undefined && { _meta: toolMeta }),
    })),
  };
}
