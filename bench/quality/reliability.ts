/** Lines whose score lies within one range: how many there are, what was predicted, and how many are gold. */
export interface Bin {
  readonly lines: number;
  readonly predicted: number;
  readonly gold: number;
}

export type Bins = readonly Bin[];

/**
 * Where the ten bins begin. Nearly all lines are near 0, so that equal steps would put them into one bin, and quantiles
 * would move with every engine; steps that grow about threefold show both ends, and stay comparable.
 */
export const EDGES: readonly number[] = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.75];

/** The scores of one text by bin. Blank lines are nobody's answer. */
export function binned(scores: Float64Array, lines: readonly string[], gold: ReadonlySet<number>): Bins {
  const bins = EDGES.map(() => ({ lines: 0, predicted: 0, gold: 0 }));
  for (const [at, score] of scores.entries()) {
    const bin = bins[EDGES.findLastIndex((edge) => score >= edge)];
    if (bin === undefined || (lines[at] ?? '').trim() === '') continue;
    bin.lines += 1;
    bin.predicted += score;
    bin.gold += gold.has(at + 1) ? 1 : 0;
  }
  return bins;
}

/** The bins of several texts together. */
export function together(all: readonly Bins[]): Bins {
  return EDGES.map((_, at) => total(all.flatMap((bins) => bins[at] ?? [])));
}

export function total(bins: readonly Bin[]): Bin {
  const sum = (of: (bin: Bin) => number): number => bins.reduce((so, bin) => so + of(bin), 0);
  return {
    lines: sum(({ lines }) => lines),
    predicted: sum(({ predicted }) => predicted),
    gold: sum(({ gold }) => gold),
  };
}
