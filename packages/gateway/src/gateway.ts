import { Buffer } from 'node:buffer';
import { estimateTokens } from '@jeeves/engine';
import {
  type CallLimits,
  createDispatcher,
  type ForeignTools,
  type HostOptions,
  type OpenDispatcher,
  type OutputMode,
  type ServerIdentity,
  type Tool,
} from '@jeeves/mcp-pruner/host';
import { AUTOMATIC_EVAL, AUTOMATIC_MCP, type Emit, RECOVER_TEXT, toolInputSchema } from '@jeeves/protocol';
import { createPassthrough } from './passthrough.ts';
import type { ResultPruner } from './prune-result.ts';
import type { Counters } from './stats/counters.ts';
import { definitionTokens } from './stats/report.ts';
import type { Upstreams } from './upstream/upstream.ts';

export interface GatewayOptions {
  readonly upstreams: Upstreams;
  readonly identity: ServerIdentity;
  /** List the upstreams' tools themselves, for clients that search on their own. */
  readonly passthrough: boolean;
  /** `automatic_mcp` and `automatic_eval`, for a connection with this key, or for a caller that has none. */
  readonly catalogueTools: (connection: string | undefined) => readonly Tool[];
  readonly recover: Tool;
  readonly pruner: ResultPruner;
  readonly counters: Counters;
  readonly output: OutputMode;
  readonly emit: Emit;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** Upstreams, tools and host, wired; any transport can serve it. */
export interface Gateway {
  /** For a peer that stays: it has a key of its own, and is told when tools change. */
  readonly openDispatcher: OpenDispatcher;
  /** For one request over HTTP: the caller's session is its connection; without one nothing is remembered. */
  readonly hostFor: (session: string | undefined) => HostOptions;
}

// Claude Code hides tools behind a search unless told otherwise, and puts results above 50,000 characters into a file.
const TOOL_META = { 'anthropic/alwaysLoad': true, 'anthropic/maxResultSizeChars': 500_000 };

export function createGateway(options: GatewayOptions): Gateway {
  const { passthrough, identity, randomBytes, upstreams } = options;
  const foreign = passthrough ? createPassthrough(options) : countedListing(options);
  const hostFor = (connection: string | undefined, listed?: () => void): HostOptions => ({
    server: identity,
    tools: passthrough ? [options.recover] : [...options.catalogueTools(connection), options.recover],
    foreign: listed === undefined ? foreign : { ...foreign, list: () => foreign.list().finally(listed) },
    toolMeta: TOOL_META,
    output: options.output,
    emit: options.emit,
    now: options.now,
    limits: CALL_LIMITS,
    newRequestId: () => `req_${Buffer.from(randomBytes(12)).toString('hex')}`,
  });
  const stateless = hostFor(undefined);
  return {
    openDispatcher: (send, client) => {
      const key = Buffer.from(randomBytes(16)).toString('base64url');
      if (identity.listChanged !== true) return createDispatcher(hostFor(key), send, client);
      // Whoever has no list cannot have an old one.
      let hasList = false;
      const listed = (): void => {
        hasList = true;
      };
      const dispatcher = createDispatcher(hostFor(key, listed), send, client);
      const silence = upstreams.onChanged(() => hasList && send({ line: LIST_CHANGED }));
      const cancelAll = (): void => {
        silence();
        dispatcher.cancelAll();
      };
      return { ...dispatcher, cancelAll };
    },
    hostFor: (session) => (session === undefined ? stateless : hostFor(session)),
  };
}

/** A call mostly waits for somebody else. Those that wait for a server which hangs must not take all places. */
export const CALL_LIMITS: CallLimits = { running: 1024, waiting: 64 };

const LIST_CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

/** Lists nothing, and counts what a listing of everything would have cost. */
function countedListing({ upstreams, counters }: GatewayOptions): ForeignTools {
  const own = [AUTOMATIC_MCP, AUTOMATIC_EVAL, RECOVER_TEXT];
  const ownTokens = own.reduce((total, tool) => {
    const { name, description } = tool;
    return total + estimateTokens(JSON.stringify({ name, description, inputSchema: toolInputSchema(tool) }));
  }, 0);
  const count = async (): Promise<void> => {
    const { tools } = await upstreams.tools();
    counters.add('listings');
    counters.add('definitionTokensBefore', definitionTokens(tools));
    counters.add('ownDefinitionTokens', ownTokens);
  };
  return {
    list: async () => {
      // Nobody waits for a count.
      void count();
      return await Promise.resolve([]);
    },
    find: () => undefined,
  };
}
