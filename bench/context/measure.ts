import type { Context } from '@jeeves/context';
import type { Stores } from '@jeeves/engine';
import { describing, goalAt, openContext, segmentAt } from './world.ts';

/** Milliseconds. */
export interface Figures {
  readonly segments: number;
  /** The whole working set, when this process has seen the project before. */
  readonly usage: number;
  readonly garbage: number;
  /** The first call of a process. */
  readonly firstUsage: number;
  /** With descriptors of a platform. */
  readonly described: number;
  /** After another process wrote to the project. */
  readonly afterWrite: number;
  readonly searchMedian: number;
  readonly search95: number;
}

const WORKING = 'working';
const STASHED = 'stashed';
const PER_CALL = 500;

/** Adds segments up to `count` to each of the two projects: one has all of them in its window, one in its stash. */
export async function fill(stores: Stores, from: number, count: number): Promise<void> {
  const context = openContext(stores);
  for (let start = from; start < count; start += PER_CALL) {
    const segments = Array.from({ length: Math.min(PER_CALL, count - start) }, (_, at) => segmentAt(start + at));
    await context.stash({ project: STASHED, segments });
    await context.analyzeUsage({ project: WORKING, descriptors: describing(segments) });
  }
}

export async function measure(stores: Stores, segments: number): Promise<Figures> {
  const fresh = openContext(stores);
  const [firstUsage = 0] = await times(1, () => fresh.analyzeUsage({ project: WORKING }));
  const window = Array.from({ length: 300 }, (_, at) => segmentAt((at * 97) % segments));
  const descriptors = describing(window);
  await fresh.analyzeUsage({ project: WORKING, descriptors });
  const usage = await times(11, () => fresh.analyzeUsage({ project: WORKING }));
  const garbage = await times(11, () => fresh.analyzeGarbage({ project: WORKING, target: 50_000 }));
  const described = await times(11, () => fresh.analyzeUsage({ project: WORKING, descriptors }));
  const searches = await searchTimes(fresh);
  return {
    segments,
    firstUsage,
    usage: middle(usage),
    garbage: middle(garbage),
    described: middle(described),
    afterWrite: middle(await afterWrites(fresh, openContext(stores))),
    searchMedian: middle(searches),
    search95: quantile(searches, 0.95),
  };
}

const SEARCHES = 200;

async function searchTimes(context: Context): Promise<number[]> {
  await times(10, (at) => context.search({ project: STASHED, goal: goalAt(1000 + at), limit: 50 }));
  return await times(SEARCHES, (at) => context.search({ project: STASHED, goal: goalAt(at), limit: 50 }));
}

async function afterWrites(context: Context, other: Context): Promise<number[]> {
  const taken: number[] = [];
  for (let at = 0; at < 7; at += 1) {
    await other.setPinned(WORKING, [`segment-${at}`], at % 2 === 0);
    taken.push(...(await times(1, () => context.analyzeUsage({ project: WORKING }))));
  }
  return taken;
}

async function times(count: number, act: (at: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const started = performance.now();
    await act(at);
    taken.push(performance.now() - started);
  }
  return taken;
}

function middle(taken: readonly number[]): number {
  return quantile(taken, 0.5);
}

function quantile(taken: readonly number[], share: number): number {
  const sorted = [...taken].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
