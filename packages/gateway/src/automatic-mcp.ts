import { estimateTokens } from '@jeeves/engine';
import type { Tool, ToolCall, ToolOutcome } from '@jeeves/mcp-pruner/host';
import {
  AUTOMATIC_MCP,
  type AutomaticMcpArgs,
  type AutomaticMcpResult,
  type ChangedTool,
  type UnavailableServer,
} from '@jeeves/protocol';
import { closestNames, findUpstreamTool } from './catalogue/names.ts';
import {
  DEFAULT_REPLY_TOKENS,
  divide,
  EVERYTHING_TOKENS,
  forAgents,
  lineOf,
  type ReplyParts,
} from './catalogue/reply.ts';
import { type Selection, type SelectOptions, selectTools } from './catalogue/select.ts';
import type { CatalogueSessions } from './sessions/sessions.ts';
import type { Counters } from './stats/counters.ts';
import type { CatalogueSnapshot, Upstreams, UpstreamTool } from './upstream/upstream.ts';

export interface AutomaticMcpOptions extends SelectOptions {
  readonly upstreams: Pick<Upstreams, 'tools' | 'refreshed' | 'status'>;
  readonly sessions: CatalogueSessions;
  readonly counters: Counters;
  /** The caller's connection; absent where one caller cannot be told from another. */
  readonly connection: string | undefined;
  /** What the definitions of one answer may cost, in estimated tokens. */
  readonly replyTokens?: number;
}

/** `automatic_mcp`: the definitions that serve a goal, each sent once to a session until it changes. */
export function createAutomaticMcp(options: AutomaticMcpOptions): Tool<AutomaticMcpArgs> {
  return { definition: AUTOMATIC_MCP, run: (call) => run(call, options) };
}

/** Everything that one answer is made of. */
interface Answer extends ReplyParts {
  readonly snapshot: CatalogueSnapshot;
  /** Definitions come with everything that their servers say. */
  readonly complete: boolean;
  readonly weak: boolean;
  readonly notes: readonly string[];
  readonly changed: readonly UpstreamTool[];
}

async function run(call: ToolCall<AutomaticMcpArgs>, options: AutomaticMcpOptions): Promise<ToolOutcome> {
  const { args, signal, progress } = call;
  const { upstreams, counters, sessions } = options;
  counters.add('catalogueCalls');
  const wait = { signal, progress };
  const snapshot = args.forceRefresh ? await upstreams.refreshed(wait) : await upstreams.tools(wait);
  const key = sessionKey(args.sessionId, options.connection);
  const answer = args.names === undefined ? await byGoal(call, snapshot, key, options) : byName(args.names, snapshot);
  const result = resultOf(answer, upstreams);
  return outcomeOf(result, () => {
    counters.add('definitionTokensSent', estimateTokens(JSON.stringify(result.tools)));
    const marks = new Map(answer.whole.map(({ displayName, hash }) => [displayName, hash]));
    if (key !== undefined) sessions.delivered(key, marks);
  });
}

async function byGoal(
  { args, signal }: ToolCall<AutomaticMcpArgs>,
  snapshot: CatalogueSnapshot,
  key: string | undefined,
  options: AutomaticMcpOptions,
): Promise<Answer> {
  const selected = await selectTools(snapshot, args.query, options, signal);
  const withheld = [...selected.best, ...selected.others].filter((tool) => tool.withheld);
  const open: Selection = {
    ...selected,
    best: selected.best.filter((tool) => !tool.withheld),
    others: selected.others.filter((tool) => !tool.withheld),
  };
  // Asked even where the answer does not count: a session that is used stays alive.
  const sent = key === undefined ? undefined : await options.sessions.sent(key);
  const isAll = args.query === undefined || args.query === '';
  const budget = isAll ? EVERYTHING_TOKENS : (options.replyTokens ?? DEFAULT_REPLY_TOKENS);
  const parts = divide(open, budget, ({ displayName, hash }) => !args.forceRefresh && sent?.get(displayName) === hash);
  const notes = [
    ...(parts.known.length > 0 ? ['alreadySent: you have these definitions; "names" sends one again.'] : []),
    ...(parts.whole.some((tool) => tool.whole !== undefined)
      ? ['Long texts end with …; "names" sends a definition uncut.']
      : []),
    ...(parts.lines.length > 0 ? ['others: "names" sends their definitions.'] : []),
  ];
  const changed = [...parts.whole.filter((tool) => tool.changed), ...withheld];
  return { ...parts, snapshot, complete: false, weak: selected.weak, notes, changed };
}

/** Definitions that are asked for by name come whole, whatever was sent before. */
function byName(names: readonly string[], snapshot: CatalogueSnapshot): Answer {
  const found = names.map((name) => findUpstreamTool(snapshot.tools, name));
  const unknown = names.filter((_, at) => found[at] === undefined);
  const tools = [...new Set(found.filter((tool) => tool !== undefined))];
  const notes = unknown.map((name) => {
    const closest = closestNames(snapshot.tools, name);
    return `${JSON.stringify(name)} is no tool${closest.length === 0 ? '' : `; the closest are ${closest.join(', ')}`}.`;
  });
  const whole = tools.filter((tool) => !tool.withheld);
  const changed = tools.filter((tool) => tool.changed);
  return { whole, known: [], lines: [], snapshot, complete: true, weak: false, notes, changed };
}

function resultOf(answer: Answer, upstreams: AutomaticMcpOptions['upstreams']): AutomaticMcpResult {
  const { known, lines, snapshot, weak } = answer;
  const changed = answer.changed.map(changedTool);
  const unavailable = unavailableServers(answer, upstreams);
  const notes = answer.notes.join(' ');
  return {
    etag: snapshot.etag,
    tools: answer.whole.map(({ definition, whole }) =>
      answer.complete ? (whole ?? definition) : forAgents(definition),
    ),
    totalAvailable: snapshot.tools.length,
    filtered: answer.whole.length,
    alreadySent: known.map(({ displayName }) => displayName),
    ...(lines.length > 0 && { others: lines.slice(0, MAX_LINES).map(lineOf) }),
    ...(changed.length > 0 && { changed }),
    ...(weak && { weak }),
    ...(unavailable.length > 0 && { unavailable }),
    ...(notes !== '' && { note: notes }),
  };
}

/** One that asks for everything is not told of the rest line by line: `totalAvailable` says how much there is. */
const MAX_LINES = 20;

function changedTool({ displayName, changes, withheld }: UpstreamTool): ChangedTool {
  const what = changes.length === 0 ? 'its definition' : changes.join(', ');
  return { name: displayName, changed: true, what, ...(withheld && { withheld }) };
}

const MAX_UNAVAILABLE = 8;
const MAX_PROBLEM = 160;

/** Servers of which nothing is known, since they might fit, and those that would have to answer a call that is offered. */
function unavailableServers(
  { whole, lines }: Answer,
  upstreams: AutomaticMcpOptions['upstreams'],
): readonly UnavailableServer[] {
  const offered = new Set([...whole, ...lines].map(({ server }) => server));
  return upstreams
    .status()
    .filter(({ server, state, tools }) => state !== 'listed' && (tools === 0 || offered.has(server)))
    .slice(0, MAX_UNAVAILABLE)
    .map(({ server, problem = '', fix = '' }) => ({ server, problem: problem.slice(0, MAX_PROBLEM), fix }));
}

/** Ids that agents choose may meet by chance, so they only ever tell the conversations of one connection apart. */
function sessionKey(sessionId: string | undefined, connection: string | undefined): string | undefined {
  if (connection === undefined) return undefined;
  return sessionId === undefined || sessionId === '' ? `c:${connection}` : `c:${connection}:${sessionId}`;
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
