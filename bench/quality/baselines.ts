import { seededRandom } from '../../training/mine/random.ts';
import { bm25, wordsOf } from './bm25.ts';
import type { BenchCase } from './suites.ts';

/** Gives every line of a case a score; higher lines are kept first. */
export interface Scorer {
  readonly name: string;
  score(benchCase: BenchCase): Promise<ArrayLike<number>>;
}

const WINDOW = 40;
const REACH = 8;
/** The plain baselines that a backend has to beat. */
export const SMOOTHED = { box: `BM25 ±${REACH}`, triangle: `BM25 ±${REACH} triangular` } as const;

export const BASELINES: readonly Scorer[] = [
  plain('head', ({ lines }) => lines.map((_, index) => -index)),
  plain('tail', ({ lines }) => lines.map((_, index) => index)),
  plain('random', ({ id, lines }) => {
    const random = seededRandom(id);
    return lines.map(() => random.next());
  }),
  plain('BM25 line', ({ goal, lines }) => bm25(lines.map(wordsOf), goal)),
  plain(SMOOTHED.box, ({ goal, lines }) => boxMean(bm25(lines.map(wordsOf), goal))),
  plain(SMOOTHED.triangle, ({ goal, lines }) => triangularMean(bm25(lines.map(wordsOf), goal))),
  plain(`${WINDOW}-line windows`, windowScores),
  plain('oracle', ({ gold, lines }) => {
    const isGold = new Set(gold);
    return lines.map((_, index) => (isGold.has(index + 1) ? 1 : 0));
  }),
];

function plain(name: string, score: (benchCase: BenchCase) => ArrayLike<number>): Scorer {
  return { name, score: (benchCase) => Promise.resolve(score(benchCase)) };
}

/** Mean over the lines at most `REACH` away; at the ends over those that exist. */
function boxMean(scores: Float64Array): Float64Array {
  return smoothed(scores, () => 1);
}

/** The same with weights that fall off with the distance. */
function triangularMean(scores: Float64Array): Float64Array {
  return smoothed(scores, (distance) => REACH + 1 - distance);
}

function smoothed(scores: Float64Array, weightAt: (distance: number) => number): Float64Array {
  return scores.map((_, index) => {
    let [sum, weights] = [0, 0];
    for (let near = Math.max(0, index - REACH); near <= Math.min(scores.length - 1, index + REACH); near += 1) {
      const weight = weightAt(Math.abs(near - index));
      sum += weight * (scores[near] ?? 0);
      weights += weight;
    }
    return sum / weights;
  });
}

/** Windows that do not overlap, each judged as one document: the way a text is chunked for retrieval. */
function windowScores({ goal, lines }: BenchCase): ArrayLike<number> {
  const windows: string[][] = [];
  for (let at = 0; at < lines.length; at += WINDOW) windows.push(lines.slice(at, at + WINDOW).flatMap(wordsOf));
  const scores = bm25(windows, goal);
  return lines.map((_, index) => scores[Math.floor(index / WINDOW)] ?? 0);
}
