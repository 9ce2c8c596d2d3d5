import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Context } from '@jeeves/context';
import type { Stores } from '@jeeves/store';
import { describing, goalAt, openContext, segmentAt, WORKING } from './world.ts';

/** Milliseconds. */
export interface Figures {
  readonly segments: number;
  /** The whole working set, when this process has seen the project before. */
  readonly usage: number;
  readonly garbage: number;
  /** The first call of a process that has just begun. */
  readonly firstUsage: number;
  readonly firstDescribed: number;
  /** Until a process can make its first call: the runtime, the library and the store. */
  readonly start: number;
  /** With descriptors of a platform. */
  readonly described: number;
  /** After another process wrote to the project. */
  readonly afterWrite: number;
  readonly searchMedian: number;
  readonly search95: number;
}

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

/** `url` is that of the stores, for processes of their own. */
export async function measure(stores: Stores, segments: number, url: string): Promise<Figures> {
  const fresh = openContext(stores);
  await fresh.analyzeUsage({ project: WORKING });
  const first = await firstCalls(segments, url);
  const window = Array.from({ length: 300 }, (_, at) => segmentAt((at * 97) % segments));
  const descriptors = describing(window);
  await fresh.analyzeUsage({ project: WORKING, descriptors });
  const usage = await times(11, () => fresh.analyzeUsage({ project: WORKING }));
  const garbage = await times(11, () => fresh.analyzeGarbage({ project: WORKING, target: 50_000 }));
  const described = await times(11, () => fresh.analyzeUsage({ project: WORKING, descriptors }));
  const searches = await searchTimes(fresh);
  return {
    segments,
    ...first,
    usage: middle(usage),
    garbage: middle(garbage),
    described: middle(described),
    afterWrite: middle(await afterWrites(fresh, openContext(stores))),
    searchMedian: middle(searches),
    search95: quantile(searches, 0.95),
  };
}

/** Each of these is made anew by processes of their own, so that their code is as cold as it is for a user. */
const PROCESSES = 5;

type FirstCalls = Pick<Figures, 'firstUsage' | 'firstDescribed' | 'start'>;

async function firstCalls(segments: number, url: string): Promise<FirstCalls> {
  const plain = await callsOf('plain', segments, url);
  const described = await callsOf('described', segments, url);
  return {
    firstUsage: middle(plain.map(({ firstMs }) => firstMs)),
    firstDescribed: middle(described.map(({ firstMs }) => firstMs)),
    start: middle([...plain, ...described].map(({ readyMs }) => readyMs)),
  };
}

interface FirstCall {
  readonly readyMs: number;
  readonly firstMs: number;
  readonly seen: number;
}

const PROGRAM = fileURLToPath(new URL('first.ts', import.meta.url));

async function callsOf(way: 'plain' | 'described', segments: number, url: string): Promise<FirstCall[]> {
  const seen: FirstCall[] = [];
  for (let at = 0; at < PROCESSES; at += 1) {
    const args = [...process.execArgv, PROGRAM, url, String(segments), way];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    seen.push(JSON.parse(stdout) as FirstCall);
  }
  return seen;
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
