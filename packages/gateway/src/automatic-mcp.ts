import { estimateTokens } from '@jeeves/engine';
import type { Tool, ToolCall, ToolOutcome } from '@jeeves/mcp-pruner/host';
import { AUTOMATIC_MCP, type AutomaticMcpArgs, type AutomaticMcpResult } from '@jeeves/protocol';
import { type SelectOptions, selectTools } from './catalogue/select.ts';
import type { CatalogueSessions } from './sessions/sessions.ts';
import type { Counters } from './stats/counters.ts';
import type { Upstreams, UpstreamTool } from './upstream/upstream.ts';

export interface AutomaticMcpOptions extends SelectOptions {
  readonly upstreams: Pick<Upstreams, 'tools'>;
  readonly sessions: CatalogueSessions;
  readonly counters: Counters;
  /** Stands in for a session id that a caller does not give; absent where a caller cannot be told from the others. */
  readonly connection: string | undefined;
}

/** Definitions for one reply; what does not fit is left for the next call, unmarked. */
const MAX_DEFINITION_CHARS = 2_000_000;

/** `automatic_mcp`: the definitions that serve a goal, each sent once to a session until it changes. */
export function createAutomaticMcp(options: AutomaticMcpOptions): Tool<AutomaticMcpArgs> {
  return { definition: AUTOMATIC_MCP, run: (call) => run(call, options) };
}

async function run({ args, signal }: ToolCall<AutomaticMcpArgs>, options: AutomaticMcpOptions): Promise<ToolOutcome> {
  const { upstreams, sessions, counters } = options;
  counters.add('catalogueCalls');
  const snapshot = await upstreams.tools();
  const selected = await selectTools(snapshot, args.query, options, signal);
  const key = sessionKey(args.sessionId, options.connection);
  const known = key === undefined ? undefined : await sessions.sent(key);
  const isKnown = ({ displayName, hash }: UpstreamTool): boolean => known?.get(displayName) === hash;
  const fresh = withinReply(args.forceRefresh ? selected : selected.filter((tool) => !isKnown(tool)));
  const result: AutomaticMcpResult = {
    etag: snapshot.etag,
    tools: fresh.map(({ definition }) => definition),
    totalAvailable: snapshot.tools.length,
    filtered: fresh.length,
    alreadySent: args.forceRefresh ? [] : selected.filter(isKnown).map(({ displayName }) => displayName),
  };
  return outcomeOf(result, () => {
    const tokens = fresh.reduce((total, { definition }) => total + estimateTokens(JSON.stringify(definition)), 0);
    counters.add('definitionTokensSent', tokens);
    if (key !== undefined) sessions.delivered(key, new Map(fresh.map(({ displayName, hash }) => [displayName, hash])));
  });
}

/** Two prefixes keep an id that a caller chose from ever meeting the key of somebody's connection. */
function sessionKey(sessionId: string | undefined, connection: string | undefined): string | undefined {
  if (sessionId !== undefined && sessionId !== '') return `s:${sessionId}`;
  return connection === undefined ? undefined : `c:${connection}`;
}

function withinReply(tools: readonly UpstreamTool[]): readonly UpstreamTool[] {
  let room = MAX_DEFINITION_CHARS;
  const end = tools.findIndex(({ definition }) => {
    room -= JSON.stringify(definition).length;
    return room < 0;
  });
  return end === -1 ? tools : tools.slice(0, end);
}

/** One text block and no object beside it: clients that show their model the object would show it twice. */
function outcomeOf(result: AutomaticMcpResult, written: () => void): ToolOutcome {
  const text = JSON.stringify(result);
  return {
    text,
    structured: result,
    isError: false,
    mode: 'raw',
    result: { content: [{ type: 'text', text }] },
    written,
  };
}
