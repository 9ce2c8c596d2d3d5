/** The shares of lines kept at which recall is told. */
export const SHARES = [0.1, 0.3, 0.5] as const;

/** How well the scores of one case find its gold lines. */
export interface Measured {
  /** Gold lines among the best 10, 30 and 50 % of lines, as a share of all gold lines. */
  readonly recall: readonly number[];
  /** How likely a gold line scores above another one; undefined when all lines or none are gold. */
  readonly auc: number | undefined;
}

/** How well scores find the gold lines (numbers from 1). Equal scores count in the order of the text. */
export function measure(scores: Float64Array, gold: ReadonlySet<number>): Measured | undefined {
  if (gold.size === 0) return undefined;
  const order = Array.from(scores.keys()).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const recall = SHARES.map((share) => {
    const kept = order.slice(0, Math.ceil(scores.length * share));
    return kept.filter((index) => gold.has(index + 1)).length / gold.size;
  });
  return { recall, auc: areaUnderCurve(scores, order, gold) };
}

/** Mann–Whitney: pairs of a gold and another line in the right order, ties counting half. */
function areaUnderCurve(scores: Float64Array, order: readonly number[], gold: ReadonlySet<number>): number | undefined {
  let won = 0;
  let goldAbove = 0;
  let at = 0;
  while (at < order.length) {
    const score = scores[order[at] ?? 0];
    let goldHere = 0;
    let othersHere = 0;
    for (; at < order.length && scores[order[at] ?? 0] === score; at += 1) {
      if (gold.has((order[at] ?? 0) + 1)) goldHere += 1;
      else othersHere += 1;
    }
    won += othersHere * (goldAbove + goldHere / 2);
    goldAbove += goldHere;
  }
  const others = order.length - goldAbove;
  return goldAbove === 0 || others === 0 ? undefined : won / (goldAbove * others);
}

/** Means over cases, each case counting the same. */
export class Means {
  #cases = 0;
  #recall = SHARES.map(() => 0);
  #auc = 0;
  #withAuc = 0;

  add({ recall, auc }: Measured): void {
    this.#cases += 1;
    this.#recall = this.#recall.map((sum, at) => sum + (recall[at] ?? 0));
    if (auc === undefined) return;
    this.#auc += auc;
    this.#withAuc += 1;
  }

  get cases(): number {
    return this.#cases;
  }

  get recall(): readonly number[] {
    return this.#recall.map((sum) => sum / this.#cases);
  }

  get auc(): number | undefined {
    return this.#withAuc === 0 ? undefined : this.#auc / this.#withAuc;
  }
}
