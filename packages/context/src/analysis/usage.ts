import { type Columns, FLAGS, nameAt } from './columns.ts';
import { SEGMENT_TYPES } from './item.ts';
import type { Names } from './names.ts';
import type { Numbers } from './numbers.ts';
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

export function tallyOf({ length, epoch, type, task, tokens, flags, createdAt, names }: Columns): Tally {
  const types = sumBy(type, tokens, SEGMENT_TYPES.length);
  const tasks = sumBy(task, tokens, names.tasks.length + 1);
  let totalTokens = 0;
  let pinnedSegments = 0;
  let pinnedTokens = 0;
  let oldest = Number.POSITIVE_INFINITY;
  let newest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < length; at += 1) {
    const time = epoch + (createdAt[at] as number);
    if (time < oldest) oldest = time;
    if (time > newest) newest = time;
    totalTokens += tokens[at] as number;
    if (((flags[at] as number) & FLAGS.pinned) === 0) continue;
    pinnedSegments += 1;
    pinnedTokens += tokens[at] as number;
  }
  return {
    totalTokens,
    totalSegments: length,
    tokensByType: new Map(types.seen.map((code) => [typeOf(code), types.tokens[code] as number])),
    segmentsByType: new Map(types.seen.map((code) => [typeOf(code), types.segments[code] as number])),
    tokensByTask: byTask(tasks, names.tasks),
    oldest,
    newest,
    pinnedSegments,
    pinnedTokens,
  };
}

interface Sums {
  readonly tokens: Float64Array;
  readonly segments: Uint32Array;
  /** Which there are, in the order in which they are first seen. */
  readonly seen: readonly number[];
}

function sumBy(codes: Numbers, weights: Numbers, size: number): Sums {
  const tokens = new Float64Array(size);
  const segments = new Uint32Array(size);
  const seen: number[] = [];
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] as number;
    if (segments[code] === 0) seen.push(code);
    tokens[code] = (tokens[code] as number) + (weights[at] as number);
    segments[code] = (segments[code] as number) + 1;
  }
  return { tokens, segments, seen };
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
