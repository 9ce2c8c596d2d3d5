import { deepStrictEqual as same } from 'node:assert/strict';
import type { Tool, ToolOutcome } from '@jeeves/mcp-pruner/host';
import type { AutomaticMcpArgs } from '@jeeves/protocol';
import type { Stores } from '@jeeves/store';
import fc from 'fast-check';
import { createAutomaticMcp } from '../../src/automatic-mcp.ts';
import { createRanker } from '../../src/rank/ranker.ts';
import { createCatalogueSessions } from '../../src/sessions/sessions.ts';
import type { UpstreamTool } from '../../src/upstream/upstream.ts';
import { answerOf, callTool, countingCounters, definitionsOf, upstreamTool } from '../catalogue/catalogue.ts';

const LIMITS = { ttlMs: 1000, maxSessions: 3 };
// Words that have nothing to do with one another, so that each goal means one tool.
const NAMES = ['quark', 'zebra', 'fjord', 'glyph'] as const;

export type Open = (path: string, options: object) => Promise<Stores>;

/** The real thing: a catalogue whose tools come, change and go, and the tool that hands them out. */
export class CatalogueWorld {
  now = 0;
  readonly #path: string;
  readonly #open: Open;
  readonly #versions = new Map<string, number>(NAMES.map((name) => [name, 1]));
  #stores: Stores | undefined;
  #tool: Tool | undefined;
  #settled: () => Promise<void> = () => Promise.resolve();

  constructor(path: string, open: Open) {
    this.#path = path;
    this.#open = open;
  }

  live(): UpstreamTool[] {
    return [...this.#versions]
      .filter(([, version]) => version > 0)
      .map(([name, version]) => upstreamTool('files', name, { description: `${name} it`, version }));
  }

  /** Version 0 means that the tool is gone. */
  setVersion(name: string, version: number): void {
    this.#versions.set(name, version);
  }

  async call(args: object): Promise<ToolOutcome> {
    this.#tool ??= await this.#start();
    return await callTool(this.#tool, args);
  }

  /** The reply reached the agent. */
  written(outcome: ToolOutcome): void {
    outcome.written?.();
  }

  async restart(): Promise<void> {
    await this.close();
    this.#tool = undefined;
  }

  async close(): Promise<void> {
    await this.#settled();
    await this.#stores?.close();
    this.#stores = undefined;
  }

  async #start(): Promise<Tool> {
    this.#stores = await this.#open(this.#path, { now: () => this.now, sessionLimits: LIMITS });
    const sessions = createCatalogueSessions({
      store: this.#stores.sessions,
      onProblem: (message) => {
        throw new Error(message);
      },
    });
    this.#settled = sessions.settled;
    const upstreams = definitionsOf(() => this.live());
    const options = { upstreams, sessions, counters: countingCounters(), connection: 'here' };
    return createAutomaticMcp({ ...options, ranker: createRanker(), cap: 10 });
  }
}

interface Known {
  readonly sent: Map<string, string>;
  expiresAt: number;
}

/** What a store may remember of each agent: the last definition of each tool that was written to it. */
export class CatalogueModel {
  now = 0;
  /** The least recently used first. */
  sessions = new Map<string, Known>();

  use(key: string): Known | undefined {
    const known = this.sessions.get(key);
    this.sessions.delete(key);
    if (known === undefined || known.expiresAt <= this.now) return undefined;
    this.sessions.set(key, known);
    known.expiresAt = this.now + LIMITS.ttlMs;
    return known;
  }

  begin(key: string): Known {
    for (const [other, { expiresAt }] of this.sessions) {
      if (expiresAt <= this.now || this.sessions.size >= LIMITS.maxSessions) this.sessions.delete(other);
    }
    const known = { sent: new Map<string, string>(), expiresAt: this.now + LIMITS.ttlMs };
    this.sessions.set(key, known);
    return known;
  }

  received(key: string, tools: readonly UpstreamTool[]): void {
    const known = this.use(key) ?? this.begin(key);
    for (const { displayName, hash } of tools) known.sent.set(displayName, hash);
  }
}

type Command = fc.AsyncCommand<CatalogueModel, CatalogueWorld>;

interface Asked {
  readonly session: string;
  readonly query: string | undefined;
  readonly refresh: boolean;
}

/** Calls, checks the answer against the model, and leaves it to the caller whether the reply arrives. */
async function ask(model: CatalogueModel, world: CatalogueWorld, asked: Asked): Promise<() => void> {
  const live = world.live();
  const { session, query, refresh } = asked;
  const args: Partial<AutomaticMcpArgs> = { sessionId: session, forceRefresh: refresh, ...(query && { query }) };
  const outcome = await world.call(args);
  const answer = answerOf(outcome);
  const known = model.use(session)?.sent ?? new Map<string, string>();
  const matching = live.filter(({ name }) => query === undefined || name === query);
  const wanted = refresh ? matching : matching.filter(({ displayName, hash }) => known.get(displayName) !== hash);
  const rest = refresh ? [] : matching.filter((tool) => !wanted.includes(tool));
  same(
    answer.tools,
    wanted.map(({ definition }) => definition),
  );
  same(
    answer.alreadySent,
    rest.map(({ displayName }) => displayName),
  );
  same([answer.filtered, answer.totalAvailable], [wanted.length, live.length]);
  return () => {
    world.written(outcome);
    model.received(session, wanted);
  };
}

/** Everything that can happen between an agent and its catalogue. */
export function commands(survivesRestart: boolean): fc.Arbitrary<Iterable<Command>> {
  // Mostly one agent: what goes wrong goes wrong between two of its calls.
  const session = fc.constantFrom('a', 'a', 'a', 'a', '', 'b', 'c', 'd');
  const query = fc.option(fc.constantFrom(...NAMES), { nil: undefined, freq: 2 });
  const asked = fc.record({ session, query, refresh: fc.boolean() });
  const call = (refresh: boolean) => fc.record({ session, query, refresh: fc.constant(refresh) });
  const step = (name: string, run: Command['run']): Command => ({ check: () => true, run, toString: () => name });
  return fc.commands(
    [
      call(false).map((one) => step(`call ${JSON.stringify(one)}`, async (m, w) => (await ask(m, w, one))())),
      call(true).map((one) => step(`refresh ${JSON.stringify(one)}`, async (m, w) => (await ask(m, w, one))())),
      asked.map((one) => step(`lost reply ${JSON.stringify(one)}`, async (m, w) => void (await ask(m, w, one)))),
      fc.tuple(asked, asked, fc.boolean()).map(([one, two, swapped]) =>
        step(`two at once ${JSON.stringify([one, two, swapped])}`, async (m, w) => {
          const replies = [await ask(m, w, one), await ask(m, w, two)];
          for (const arrive of swapped ? replies.reverse() : replies) arrive();
        }),
      ),
      fc
        .tuple(fc.constantFrom(...NAMES), fc.integer({ min: 0, max: 3 }))
        .map(([name, version]) =>
          step(`${name} becomes ${version}`, async (_, w) => await Promise.resolve(w.setVersion(name, version))),
        ),
      fc.constantFrom(1, 400, 999, 1000, 5000).map((ms) =>
        step(`${ms} ms pass`, async (m, w) => {
          m.now += ms;
          w.now = await Promise.resolve(m.now);
        }),
      ),
      fc.constant(
        step('restart', async (m, w) => {
          await w.restart();
          if (!survivesRestart) m.sessions.clear();
        }),
      ),
    ],
    { maxCommands: 60, size: '+1' },
  );
}
