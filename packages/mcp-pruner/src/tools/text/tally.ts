import type { HealthMetrics, PruneStats, PruneTextResult } from '@jeeves/protocol';

/** What `prune_text` and `/prune` did since the process started. */
export interface Tally {
  readonly add: (result: Pick<PruneTextResult, 'stats' | 'warnings'>) => void;
  readonly health: () => HealthMetrics;
  readonly counts: () => TallyCounts;
}

export interface TallyCounts {
  /** By the name of the backend on the wire. */
  readonly calls: Readonly<Record<string, number>>;
  readonly fallbacks: Readonly<Record<string, number>>;
  readonly cacheHits: number;
  readonly tokensSaved: number;
  readonly linesPruned: number;
}

export function createTally(): Tally {
  const calls: Record<string, number> = { heuristic: 0, deepinfra: 0 };
  const fallbacks: Record<string, number> = { heuristic: 0, deepinfra: 0 };
  let cacheHits = 0;
  let tokensSaved = 0;
  let linesPruned = 0;
  let dollars = 0;
  return {
    add: ({ stats, warnings }) => {
      calls[stats.backend] = (calls[stats.backend] ?? 0) + 1;
      if (stats.used_fallback) fallbacks[stats.backend] = (fallbacks[stats.backend] ?? 0) + 1;
      if (warnings.includes('cache_hit')) cacheHits += 1;
      tokensSaved += Math.max(0, stats.tokens_saved_est);
      linesPruned += stats.pruned_lines;
      dollars += costOf(stats);
    },
    counts: () => ({ calls: { ...calls }, fallbacks: { ...fallbacks }, cacheHits, tokensSaved, linesPruned }),
    health: () => {
      const { deepinfra: asked = 0 } = calls;
      const { deepinfra: failed = 0 } = fallbacks;
      return {
        calls_total: Object.values(calls).reduce((sum, count) => sum + count, 0),
        calls_deepinfra: asked,
        fallbacks_deepinfra: failed,
        fallback_rate_deepinfra: asked === 0 ? 0 : failed / asked,
        cost_estimated_total_usd: Math.round(dollars * 1e8) / 1e8,
      };
    },
  };
}

function costOf({ cost_estimated_usd: cost = 0 }: PruneStats): number {
  return cost;
}
