/** The shares of lines at which recall is read. */
export const KEPT_SHARES: readonly number[] = [0.1, 0.2, 0.3, 0.5];

/** What one scorer reached on one case that has gold lines. */
export interface CaseMetrics {
  /** Share of gold lines among the best lines, one entry per `KEPT_SHARES`. */
  readonly recall: readonly number[];
  /** Chance that a gold line scores above another line; ties count half. */
  readonly auc: number;
  /** 1 when every gold line is among the best 30 %. */
  readonly allGold: number;
}

export interface MeanMetrics extends CaseMetrics {
  readonly cases: number;
}

/** `gold` holds 1-based line numbers. The best lines are the `⌈share · lines⌉` highest scores, earlier lines first on ties. */
export function measureCase(scores: ArrayLike<number>, gold: readonly number[]): CaseMetrics {
  const order = Array.from({ length: scores.length }, (_, index) => index);
  order.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
  const isGold = new Set(gold.map((line) => line - 1));
  const recall = KEPT_SHARES.map((share) => recallAt(order, isGold, Math.ceil(share * scores.length)));
  const allGold = recallAt(order, isGold, Math.ceil(0.3 * scores.length)) === 1 ? 1 : 0;
  return { recall, auc: areaUnderCurve(scores, order, isGold), allGold };
}

/** The plain mean over cases: a long text weighs as much as a short one. */
export function meanMetrics(all: readonly CaseMetrics[]): MeanMetrics {
  return {
    cases: all.length,
    recall: KEPT_SHARES.map((_, at) => mean(all.map((one) => one.recall[at] ?? 0))),
    auc: mean(all.map((one) => one.auc)),
    allGold: mean(all.map((one) => one.allGold)),
  };
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The smallest value that at least `share` of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

function recallAt(order: readonly number[], isGold: ReadonlySet<number>, count: number): number {
  let found = 0;
  for (let rank = 0; rank < Math.min(count, order.length); rank += 1) if (isGold.has(order[rank] ?? -1)) found += 1;
  return found / isGold.size;
}

/** Mann–Whitney over ranks; lines of equal score share the mean of their ranks. */
function areaUnderCurve(scores: ArrayLike<number>, order: readonly number[], isGold: ReadonlySet<number>): number {
  const others = order.length - isGold.size;
  if (others === 0) return 1;
  let rankSum = 0;
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && scores[order[end] ?? 0] === scores[order[start] ?? 0]) end += 1;
    const rank = order.length - (start + end - 1) / 2;
    for (let at = start; at < end; at += 1) if (isGold.has(order[at] ?? -1)) rankSum += rank;
    start = end;
  }
  return (rankSum - (isGold.size * (isGold.size + 1)) / 2) / (isGold.size * others);
}
