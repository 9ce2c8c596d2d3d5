import { type Columns, FLAGS, nameAt } from './columns.ts';
import { SEGMENT_TYPES } from './item.ts';
import type { Names } from './names.ts';
import { rounded } from './rounded.ts';

/** What the window holds, by kind. */
export interface UsageFigures {
  readonly totalTokens: number;
  readonly totalSegments: number;
  readonly tokensByType: ReadonlyMap<string, number>;
  readonly segmentsByType: ReadonlyMap<string, number>;
  /** Segments of no task stand under the empty name. */
  readonly tokensByTask: ReadonlyMap<string, number>;
  readonly oldestHours: number;
  readonly newestHours: number;
  readonly pinnedSegments: number;
  readonly pinnedTokens: number;
}

/** How full the window is. */
export interface Fill {
  readonly current: number;
  readonly limit: number;
  /** Exact; may exceed 100. */
  readonly percent: number;
}

export function fillOf(current: number, limit: number): Fill {
  return { current, limit, percent: (100 * current) / limit };
}

/** What can be counted of segments whatever the time is. */
export type Tally = Omit<UsageFigures, 'oldestHours' | 'newestHours'> & {
  /** When the oldest and the newest were created; infinite when there is none. */
  readonly oldest: number;
  readonly newest: number;
};

export function tallyOf(columns: Columns): Tally {
  const { length, epoch, type, task, tokens, flags, createdAt, names } = columns;
  const types = newSums(SEGMENT_TYPES.length);
  const tasks = newSums(names.tasks.length + 1);
  let pinnedSegments = 0;
  let pinnedTokens = 0;
  let oldest = Number.POSITIVE_INFINITY;
  let newest = Number.NEGATIVE_INFINITY;
  // One way through for all of them alike: a cold process makes the code of this loop once, and never again.
  for (let at = 0; at < length; at += 1) {
    const time = createdAt[at] as number;
    const weight = tokens[at] as number;
    const pinned = (flags[at] as number) & FLAGS.pinned;
    oldest = Math.min(oldest, time);
    newest = Math.max(newest, time);
    pinnedSegments += pinned;
    pinnedTokens += pinned * weight;
    add(types, type[at] as number, weight);
    add(tasks, task[at] as number, weight);
  }
  return {
    totalTokens: types.tokens.reduce((sum, some) => sum + some, 0),
    totalSegments: length,
    tokensByType: new Map(types.seen.map((code) => [typeOf(code), types.tokens[code] as number])),
    segmentsByType: new Map(types.seen.map((code) => [typeOf(code), types.segments[code] as number])),
    tokensByTask: byTask(tasks, names.tasks),
    oldest: epoch + oldest,
    newest: epoch + newest,
    pinnedSegments,
    pinnedTokens,
  };
}

interface Sums {
  readonly tokens: Float64Array;
  readonly segments: Uint32Array;
  /** Which there are, in the order in which they are first seen. */
  readonly seen: number[];
}

function newSums(size: number): Sums {
  return { tokens: new Float64Array(size), segments: new Uint32Array(size), seen: [] };
}

function add({ tokens, segments, seen }: Sums, code: number, weight: number): void {
  if (segments[code] === 0) seen.push(code);
  tokens[code] = (tokens[code] as number) + weight;
  segments[code] = (segments[code] as number) + 1;
}

/** A task with an empty name shares it with those of none. */
function byTask({ seen, tokens }: Sums, names: Names): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const code of seen) {
    const name = nameAt(names, code) ?? '';
    sums.set(name, (sums.get(name) ?? 0) + (tokens[code] as number));
  }
  return sums;
}

function typeOf(code: number): string {
  return SEGMENT_TYPES[code] as string;
}

export function usageOf({ oldest, newest, ...counted }: Tally, now: number): UsageFigures {
  return { ...counted, oldestHours: hoursSince(oldest, now), newestHours: hoursSince(newest, now) };
}

function hoursSince(time: number, now: number): number {
  return Number.isFinite(time) ? rounded(Math.max(0, (now - time) / 3_600_000), 100) : 0;
}
