import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Context } from '@jeeves/context';
import type { Stores } from '@jeeves/engine';
import { describing, goalAt, openContext, segmentAt, WORKING } from './world.ts';

/** Milliseconds. */
export interface Figures {
  readonly segments: number;
  /** The whole working set, when this process has seen the project before. */
  readonly usage: number;
  readonly garbage: number;
  /** The first call of a process that has just begun, after other processes wrote to the project. */
  readonly firstUsage: number;
  readonly firstDescribed: number;
  /** The same where no process has left a digest. */
  readonly firstWhole: number;
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
  await context.settled();
}

/** `url` is that of the stores, for processes of their own. */
export async function measure(stores: Stores, segments: number, url: string): Promise<Figures> {
  const fresh = openContext(stores);
  await fresh.analyzeUsage({ project: WORKING });
  const first = await firstLooks(fresh, segments, url);
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
/** What has changed since the digest: as much as may before there is another. */
const SINCE = 900;

type FirstLooks = Pick<Figures, 'firstUsage' | 'firstDescribed' | 'firstWhole' | 'start'>;

async function firstLooks(context: Context, segments: number, url: string): Promise<FirstLooks> {
  await context.settled();
  const half = SINCE / 2;
  const oldest = Array.from({ length: half }, (_, at) => `segment-${at}`);
  const newest = Array.from({ length: half }, (_, at) => `segment-${segments - half + at}`);
  await context.collect({ project: WORKING, ids: oldest, action: 'stash', confirm: false });
  await context.setPinned(WORKING, newest, true);
  const plain = await looks('plain', segments, url);
  const described = await looks('described', segments, url);
  const whole = await looks('whole', segments, url);
  await context.setPinned(WORKING, newest, false);
  await context.retrieve({ project: WORKING, ids: oldest, activate: true, maxBytes: 1 });
  return {
    firstUsage: middle(plain.map(({ firstMs }) => firstMs)),
    firstDescribed: middle(described.map(({ firstMs }) => firstMs)),
    firstWhole: middle(whole.map(({ firstMs }) => firstMs)),
    start: middle([...plain, ...described].map(({ readyMs }) => readyMs)),
  };
}

interface FirstLook {
  readonly readyMs: number;
  readonly firstMs: number;
  readonly seen: number;
}

const PROGRAM = fileURLToPath(new URL('first.ts', import.meta.url));

async function looks(way: 'plain' | 'described' | 'whole', segments: number, url: string): Promise<FirstLook[]> {
  const seen: FirstLook[] = [];
  for (let at = 0; at < PROCESSES; at += 1) {
    const args = [...process.execArgv, PROGRAM, url, String(segments), way];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    seen.push(JSON.parse(stdout) as FirstLook);
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
