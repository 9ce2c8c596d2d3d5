import type { SegmentStore } from '@jeeves/store';
import { benchGoal, benchSegment, type Random, seeded } from './segments.ts';

const PROJECT = 'bench';
const BATCH = 500;

export interface Timing {
  readonly p50: number;
  readonly p95: number;
}

/** What one size costs in one store, in milliseconds. */
export interface Measurement {
  readonly store: string;
  readonly segments: number;
  readonly secondsToFill: number;
  readonly totals: Timing;
  readonly list: Timing;
  readonly changes: Timing;
  readonly newest: Timing;
  readonly search: Timing;
  readonly searchStashed: Timing;
  readonly write: Timing;
  readonly stash: Timing;
}

/** Fills a store step by step and measures at every size. */
export async function measureStore(
  name: string,
  store: SegmentStore,
  sizes: readonly number[],
): Promise<Measurement[]> {
  const random = seeded(5);
  const rows: Measurement[] = [];
  let filled = 0;
  for (const size of sizes) {
    process.stderr.write(`${name}: ${size} segments …\n`);
    const begun = performance.now();
    for (; filled < size; filled += BATCH) await fill(store, filled, Math.min(BATCH, size - filled), random);
    rows.push(await measureAt(name, store, size, (performance.now() - begun) / 1000));
  }
  return rows;
}

async function fill(store: SegmentStore, from: number, count: number, random: Random): Promise<void> {
  const segments = Array.from({ length: count }, (_, at) => benchSegment(from + at, random));
  await store.write(
    PROJECT,
    segments.map((segment) => ({ kind: 'add', segment }) as const),
  );
}

async function measureAt(
  name: string,
  store: SegmentStore,
  segments: number,
  secondsToFill: number,
): Promise<Measurement> {
  const goals = seeded(11);
  const extra = seeded(17);
  const search = (filter: { tier?: 'stashed' }) => () =>
    store.search({ projectId: PROJECT, text: benchGoal(goals), limit: 50, filter });
  const rest = {
    totals: await time(20, () => store.totals(PROJECT)),
    list: await time(5, () => store.list(PROJECT)),
    changes: await time(20, async () => {
      const { revision } = await store.project(PROJECT);
      return store.list(PROJECT, { changedAfter: revision - 1, tier: 'working' });
    }),
    newest: await time(20, () => store.newest({ projectId: PROJECT, filter: { tier: 'stashed' }, limit: 50 })),
    search: await time(200, search({})),
    searchStashed: await time(200, search({ tier: 'stashed' })),
    // Only touched or moved there and back: the next size is measured on what this one was filled with.
    write: await time(20, async () => {
      const { text, segmentId } = benchSegment(Math.floor(extra.next() * segments), extra);
      await store.write(PROJECT, [{ kind: 'change', segmentId, changes: { text } }]);
    }),
    stash: await time(10, (round) => move(store, segments, round % 2 === 0 ? 'stashed' : 'working')),
  };
  return { store: name, segments, secondsToFill, ...rest };
}

/** A hundred segments at once, as `context_stash` moves them. */
async function move(store: SegmentStore, segments: number, tier: 'working' | 'stashed'): Promise<void> {
  const ids = Array.from({ length: 100 }, (_, at) => `segment-${Math.floor((at * segments) / 100 / 2) * 2}`);
  await store.write(
    PROJECT,
    ids.map((segmentId) => ({ kind: 'change', segmentId, changes: { tier } }) as const),
  );
}

async function time(runs: number, work: (round: number) => Promise<unknown>): Promise<Timing> {
  const spent: number[] = [];
  for (let round = 0; round < runs; round += 1) {
    const begun = performance.now();
    await work(round);
    spent.push(performance.now() - begun);
  }
  spent.sort((a, b) => a - b);
  return { p50: at(spent, 0.5), p95: at(spent, 0.95) };
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
