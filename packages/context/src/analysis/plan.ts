import type { Candidate, Findings } from './candidates.ts';
import {
  type Circumstances,
  type Cleared,
  type Clearing,
  isWorthwhile,
  type Prices,
  paysWithin,
  priceClearing,
  priceOfMore,
} from './clearing.ts';
import type { Group } from './groups.ts';

/** Segments to set aside together, why, and whether it pays. Deleting is never recommended: the stash comes first. */
export interface Recommendation {
  readonly reason: Group | typeof IN_ONE_GO;
  readonly count: number;
  /** The first of them, the readiest first. */
  readonly candidates: readonly Candidate[];
  readonly clearing: Clearing;
  /** False for one that is only listed: it pays too late, or never. */
  readonly worthwhile: boolean;
}

/** Why segments of several groups go: each of them alone would have the cache rewritten, all together once. */
const IN_ONE_GO = 'everything worth stashing in one go';

/** All groups cleared at once. */
export interface Together extends Clearing {
  readonly count: number;
}

export interface Plan {
  /** How many tokens it was to free. */
  readonly target: number;
  readonly candidates: readonly Candidate[];
  readonly reason: string;
  readonly clearing: Clearing;
}

export interface Bill {
  readonly tokensFrom: readonly number[];
  readonly prices: Prices;
}

/**
 * Groups of segments that can go for the same reason, the largest first. Before them all of them together, where that
 * pays and some of them alone do not.
 */
export function recommend(findings: Findings, bill: Bill, circumstances: Circumstances): Recommendation[] {
  const groups = [...findings.groups]
    .map(([reason, { count, best, ...cleared }]) => {
      const clearing = priceClearing(cleared, bill.tokensFrom, bill.prices);
      return { reason, count, candidates: best, clearing, worthwhile: isWorthwhile(clearing, circumstances) };
    })
    .sort((a, b) => b.clearing.tokensFreed - a.clearing.tokensFreed);
  if (groups.every(({ worthwhile }) => worthwhile)) return groups;
  const { count, ...clearing } = allTogether(findings, bill);
  const alone = groups.flatMap(({ reason, worthwhile }) => (worthwhile && findings.groups.get(reason)) || []);
  const part = atOnce(alone, bill);
  // What pays alone must not carry what costs more than it brings.
  if (!paysWithin(circumstances.paybackTurns, priceOfMore(clearing, part, bill.prices))) return groups;
  const candidates = findings.best.filter(({ score }) => score > WORTH_STASHING);
  return [{ reason: IN_ONE_GO, count, candidates, clearing, worthwhile: true }, ...groups];
}

/** Those to act on. No segment is in two of them. */
export function advised(recommendations: readonly Recommendation[]): Recommendation[] {
  const [first] = recommendations;
  return first?.reason === IN_ONE_GO ? [first] : recommendations.filter(({ worthwhile }) => worthwhile);
}

/** All groups cleared at once: the cache is rewritten once then. */
export function allTogether({ groups }: Findings, bill: Bill): Together {
  const lists = [...groups.values()];
  return { count: lists.reduce((sum, { count }) => sum + count, 0), ...atOnce(lists, bill) };
}

function atOnce(lists: readonly Cleared[], { tokensFrom, prices }: Bill): Clearing {
  const tokens = lists.reduce((sum, list) => sum + list.tokens, 0);
  const first = Math.min(tokensFrom.length - 1, ...lists.map((list) => list.first));
  return priceClearing({ tokens, first }, tokensFrom, prices);
}

/** Below this score a segment is worth more in the window than out of it. */
const WORTH_STASHING = 0.4;

/** The readiest candidates that together free so many tokens, or as many as can be named in one plan. */
export function planFor(target: number, { best }: Findings, { tokensFrom, prices }: Bill): Plan {
  const chosen: Candidate[] = [];
  let tokens = 0;
  let first = tokensFrom.length - 1;
  for (const candidate of best) {
    if (tokens >= target || candidate.score <= WORTH_STASHING) break;
    // Nothing is freed by what weighs nothing.
    if (candidate.tokens === 0) continue;
    chosen.push(candidate);
    tokens += candidate.tokens;
    first = Math.min(first, candidate.at);
  }
  const reason = planReason(chosen.length, tokens, target);
  return { target, candidates: chosen, reason, clearing: priceClearing({ tokens, first }, tokensFrom, prices) };
}

function planReason(count: number, freed: number, target: number): string {
  if (count === 0) return 'no candidates';
  const reached = freed >= target ? 'target met' : `partial (${freed}/${target} tokens)`;
  return `stash ${count} ${count === 1 ? 'segment' : 'segments'}: ${reached}`;
}
