import type { GoalTerms } from './goal.ts';
import type { Hits } from './hits.ts';

const K = 1.2;
const B = 0.4;

/** Read it at once: a scorer gives the same object each time, since it is asked once per line. */
export interface RangeScore {
  /** BM25 over the goal's total weight: about 0..1, above it only when terms repeat. */
  readonly match: number;
  /** Share of the goal's weight that occurs at all. */
  readonly coverage: number;
  /** How many of the goal's terms occur that say something in this text. */
  readonly telling: number;
}

/** A term of this weight stands in less than a fifth of the lines. */
const TELLING = 1.5;

/** Scores ranges of neighbouring texts as one document each, with scratch space shared between calls. */
export function rangeScorer(hits: Hits, goal: GoalTerms): (first: number, end: number) => RangeScore {
  const counts = new Float64Array(goal.weights.length);
  const touched: number[] = [];
  const score = { match: 0, coverage: 0, telling: 0 };
  return (first, end) => {
    for (let at = hits.starts[first] ?? 0; at < (hits.starts[end] ?? 0); at += 1) {
      const place = hits.places[at] ?? 0;
      if (counts[place] === 0) touched.push(place);
      counts[place] = (counts[place] ?? 0) + (hits.counts[at] ?? 0);
    }
    const length = (hits.termStarts[end] ?? 0) - (hits.termStarts[first] ?? 0);
    const norm = K * (1 - B + (B * length) / (hits.meanLength * Math.max(1, end - first)));
    let match = 0;
    let coverage = 0;
    let telling = 0;
    for (const place of touched) {
      const count = counts[place] ?? 0;
      const weight = goal.weights[place] ?? 0;
      match += (weight * count * (K + 1)) / (count + norm);
      coverage += weight;
      if (weight > TELLING) telling += 1;
      counts[place] = 0;
    }
    touched.length = 0;
    const total = goal.total === 0 ? 1 : goal.total;
    score.match = match / total;
    score.coverage = coverage / total;
    score.telling = telling;
    return score;
  };
}

/** One value per text. */
export interface EachScore {
  readonly match: Float32Array;
  readonly coverage: Float32Array;
}

/** The same for every text by itself, written to `out`: no neighbours, so no scratch space either. */
export function scoreEach(hits: Hits, goal: GoalTerms, out: EachScore): EachScore {
  const { match, coverage } = out;
  const texts = match.length;
  match.fill(0);
  coverage.fill(0);
  if (goal.total === 0) return out;
  for (let text = 0; text < texts; text += 1) {
    const end = hits.starts[text + 1] ?? 0;
    let at = hits.starts[text] ?? 0;
    if (at === end) continue;
    const norm = K * (1 - B + (B * termsOf(hits, text)) / hits.meanLength);
    let matched = 0;
    let covered = 0;
    for (; at < end; at += 1) {
      const weight = goal.weights[hits.places[at] ?? 0] ?? 0;
      const count = hits.counts[at] ?? 0;
      matched += (weight * count * (K + 1)) / (count + norm);
      covered += weight;
    }
    match[text] = matched / goal.total;
    coverage[text] = covered / goal.total;
  }
  return out;
}

function termsOf({ termStarts }: Hits, text: number): number {
  return (termStarts[text + 1] ?? 0) - (termStarts[text] ?? 0);
}
