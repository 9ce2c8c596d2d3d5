import type { Candidate, Findings } from './candidates.ts';
import { type Circumstances, type Clearing, isWorthwhile, type Prices, priceClearing } from './clearing.ts';
import type { Group } from './groups.ts';

/** Segments to set aside together, why, and whether it pays. Deleting is never recommended: the stash comes first. */
export interface Recommendation {
  readonly reason: Group;
  readonly count: number;
  /** The first of them, the readiest first. */
  readonly candidates: readonly Candidate[];
  readonly clearing: Clearing;
  /** False for one that is only listed: it pays too late, or never. */
  readonly worthwhile: boolean;
}

export interface Plan {
  readonly candidates: readonly Candidate[];
  readonly reason: string;
  readonly clearing: Clearing;
}

export interface Bill {
  readonly sums: Float64Array;
  readonly prices: Prices;
}

/** Groups of segments that can go for the same reason, the largest first. */
export function recommend(
  { groups }: Findings,
  { sums, prices }: Bill,
  circumstances: Circumstances,
): Recommendation[] {
  return [...groups]
    .map(([reason, { count, best, ...cleared }]) => {
      const clearing = priceClearing(cleared, sums, prices);
      return { reason, count, candidates: best, clearing, worthwhile: isWorthwhile(clearing, circumstances) };
    })
    .sort((a, b) => b.clearing.tokensFreed - a.clearing.tokensFreed);
}

/** All recommended segments cleared at once: the cache is rewritten once then. */
export function allTogether({ groups }: Findings, { sums, prices }: Bill): Clearing {
  const lists = [...groups.values()];
  const tokens = lists.reduce((sum, list) => sum + list.tokens, 0);
  const first = Math.min(sums.length - 1, ...lists.map((list) => list.first));
  return priceClearing({ tokens, first }, sums, prices);
}

/** Below this score a segment is worth more in the window than out of it. */
const WORTH_STASHING = 0.4;

/** The readiest candidates that together free so many tokens, or as many as can be named in one plan. */
export function planFor(target: number, { best }: Findings, { sums, prices }: Bill): Plan {
  const chosen: Candidate[] = [];
  let tokens = 0;
  let first = sums.length - 1;
  for (const candidate of best) {
    if (tokens >= target || candidate.score <= WORTH_STASHING) break;
    // Nothing is freed by what weighs nothing.
    if (candidate.tokens === 0) continue;
    chosen.push(candidate);
    tokens += candidate.tokens;
    first = Math.min(first, candidate.at);
  }
  const reason = planReason(chosen.length, tokens, target);
  return { candidates: chosen, reason, clearing: priceClearing({ tokens, first }, sums, prices) };
}

function planReason(count: number, freed: number, target: number): string {
  if (count === 0) return 'no candidates';
  const reached = freed >= target ? 'target met' : `partial (${freed}/${target} tokens)`;
  return `stash ${count} ${count === 1 ? 'segment' : 'segments'}: ${reached}`;
}
