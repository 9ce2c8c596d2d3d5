import { createEmbeddedBackend, estimateTokens } from '@jeeves/engine';
import type { AutomaticMcpResult } from '@jeeves/protocol';
import { createMemoryStores } from '@jeeves/store';
import { createAutomaticMcp } from '../../packages/gateway/src/automatic-mcp.ts';
import { DEFAULT_CAP } from '../../packages/gateway/src/catalogue/select.ts';
import { createRanker } from '../../packages/gateway/src/rank/ranker.ts';
import { createCatalogueSessions } from '../../packages/gateway/src/sessions/sessions.ts';
import type { UpstreamTool } from '../../packages/gateway/src/upstream/upstream.ts';
import type { ListedTool } from './collect.ts';
import type { LabelledGoal } from './measure.ts';

/** What agents get for their goals from the real tool, over goals that the catalogue serves and goals that it does not. */
export interface Replies {
  /** Share of the goals whose right tool comes with its whole definition, or is at least named. */
  readonly whole: number;
  readonly named: number;
  readonly definitions: number;
  readonly meanTokens: number;
  readonly largestTokens: number;
  readonly allTokens: number;
  /** Share of the answers that are flagged weak or empty: for goals that are served, and for those that are not. */
  readonly weakServed: number;
  readonly weakUnserved: number;
}

export interface UnservedGoal {
  readonly id: number;
  readonly query: string;
}

export async function measureReplies(
  listed: readonly ListedTool[],
  goals: readonly LabelledGoal[],
  unserved: readonly UnservedGoal[],
): Promise<Replies> {
  const ask = asker(listed);
  const served = await Promise.all(goals.map(async (goal) => ({ goal, ...(await ask(goal.query)) })));
  const others = await Promise.all(unserved.map(({ query }) => ask(query)));
  return {
    whole: share(served.filter(({ goal, answer }) => holds(wholeNames(answer), goal)).length, goals.length),
    named: share(
      served.filter(({ goal, answer }) => holds([...wholeNames(answer), ...lines(answer)], goal)).length,
      goals.length,
    ),
    definitions: served.reduce((sum, { answer }) => sum + answer.filtered, 0) / goals.length,
    meanTokens: served.reduce((sum, { tokens }) => sum + tokens, 0) / goals.length,
    largestTokens: Math.max(...served.map(({ tokens }) => tokens)),
    allTokens: listed.reduce((sum, tool) => sum + estimateTokens(JSON.stringify(tool)), 0),
    weakServed: share(served.filter(({ answer }) => isWeak(answer)).length, goals.length),
    weakUnserved: share(others.filter(({ answer }) => isWeak(answer)).length, unserved.length),
  };
}

function share(count: number, of: number): number {
  return count / Math.max(1, of);
}

function wholeNames({ tools }: AutomaticMcpResult): string[] {
  return tools.map(({ name }) => String(name));
}

function lines({ others = [] }: AutomaticMcpResult): string[] {
  return others.map((line) => line.split(':')[0] ?? '');
}

function holds(names: readonly string[], { expect }: LabelledGoal): boolean {
  return expect.some((key) => names.includes(key));
}

function isWeak({ weak, filtered, others = [] }: AutomaticMcpResult): boolean {
  return weak === true || filtered + others.length === 0;
}

/** The gateway's own tool over these definitions; nothing runs behind it, and every caller is a new one. */
function asker(
  listed: readonly ListedTool[],
): (query: string) => Promise<{ answer: AutomaticMcpResult; tokens: number }> {
  const tools = listed.map(asUpstream);
  const snapshot = { tools, etag: '', version: 1 };
  const known = (): Promise<typeof snapshot> => Promise.resolve(snapshot);
  const tool = createAutomaticMcp({
    upstreams: { tools: known, refreshed: known, status: () => [] },
    sessions: createCatalogueSessions({ store: createMemoryStores().sessions }),
    counters: { add: () => undefined },
    connection: undefined,
    ranker: createRanker(createEmbeddedBackend()),
    cap: DEFAULT_CAP,
  });
  return async (query) => {
    const { text } = await tool.run({
      args: tool.definition.input.parse({ query }),
      requestId: '',
      client: { name: 'bench', version: '' },
      signal: new AbortController().signal,
      receivedAt: 0,
      emit: () => undefined,
      progress: () => undefined,
    });
    return { answer: JSON.parse(text) as AutomaticMcpResult, tokens: estimateTokens(text) };
  };
}

function asUpstream({ server, ...definition }: ListedTool): UpstreamTool {
  const displayName = `${server}__${definition.name}`;
  return {
    server,
    name: definition.name,
    displayName,
    definition: { ...definition, name: displayName },
    hash: '',
    changed: false,
    changes: [],
    withheld: false,
    needsConsent: false,
    tags: [],
  };
}
