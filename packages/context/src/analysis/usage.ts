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

export function usageOf(items: readonly Item[], now: number): UsageFigures {
  const tokensByType = new Map<string, number>();
  const segmentsByType = new Map<string, number>();
  const tokensByTask = new Map<string, number>();
  let [totalTokens, pinnedSegments, pinnedTokens] = [0, 0, 0];
  let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { type, task = '', tokens, pinned, createdAt } of items) {
    totalTokens += tokens;
    add(tokensByType, type, tokens);
    add(segmentsByType, type, 1);
    add(tokensByTask, task, tokens);
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
    oldestHours: hoursSince(oldest, now),
    newestHours: hoursSince(newest, now),
    pinnedSegments,
    pinnedTokens,
  };
}

function add(sums: Map<string, number>, name: string, amount: number): void {
  sums.set(name, (sums.get(name) ?? 0) + amount);
}

function hoursSince(time: number, now: number): number {
  return Number.isFinite(time) ? rounded(Math.max(0, (now - time) / 3_600_000), 100) : 0;
}
