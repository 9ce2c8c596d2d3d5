import type { Item } from './item.ts';
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

export function tallyOf(items: readonly Item[]): Tally {
  const tokensByType = new Map<string, number>();
  const segmentsByType = new Map<string, number>();
  const tokensByTask = new Map<string, number>();
  let totalTokens = 0;
  let pinnedSegments = 0;
  let pinnedTokens = 0;
  let oldest = Number.POSITIVE_INFINITY;
  let newest = Number.NEGATIVE_INFINITY;
  for (const { type, task = '', tokens, pinned, createdAt } of items) {
    totalTokens += tokens;
    tokensByType.set(type, (tokensByType.get(type) ?? 0) + tokens);
    segmentsByType.set(type, (segmentsByType.get(type) ?? 0) + 1);
    tokensByTask.set(task, (tokensByTask.get(task) ?? 0) + tokens);
    if (pinned) {
      pinnedSegments += 1;
      pinnedTokens += tokens;
    }
    oldest = Math.min(oldest, createdAt);
    newest = Math.max(newest, createdAt);
  }
  return {
    totalTokens,
    totalSegments: items.length,
    tokensByType,
    segmentsByType,
    tokensByTask,
    oldest,
    newest,
    pinnedSegments,
    pinnedTokens,
  };
}

export function usageOf({ oldest, newest, ...counted }: Tally, now: number): UsageFigures {
  return { ...counted, oldestHours: hoursSince(oldest, now), newestHours: hoursSince(newest, now) };
}

function hoursSince(time: number, now: number): number {
  return Number.isFinite(time) ? rounded(Math.max(0, (now - time) / 3_600_000), 100) : 0;
}
