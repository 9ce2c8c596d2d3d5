import { bm25, wordsOf } from './bm25.ts';
import { type Piece, range } from './fill.ts';

/** What a user could do instead: pieces of a text in the order in which they are taken while the budget lasts. */
export interface Baseline {
  readonly name: string;
  readonly pieces: (lines: readonly string[], goal: string) => Piece[];
  /** Ends at the first piece that does not fit, as reading from one end does. Else later pieces may still fit. */
  readonly inOrder: boolean;
}

const ERROR_WORDS = /error|fail|fatal|exception|panic|traceback/i;
const AROUND = 3;
const WINDOW = 40;
const REACH = 8;

export const BASELINES: readonly Baseline[] = [
  { name: '`tail`', pieces: (lines) => lines.map((_, at) => range(lines.length - 1 - at)), inOrder: true },
  { name: '`head`', pieces: (lines) => lines.map((_, at) => range(at)), inOrder: true },
  { name: '`grep -C3` on error words, last matches', pieces: lastMatches, inOrder: true },
  { name: `BM25 windows of ${WINDOW} lines`, pieces: bestWindows, inOrder: false },
  { name: `BM25 lines, smoothed over ±${REACH}`, pieces: bestLines, inOrder: false },
];

function lastMatches(lines: readonly string[]): Piece[] {
  const matches = lines.flatMap((line, at) => (ERROR_WORDS.test(line) ? [at] : []));
  return matches.reverse().map((at) => range(Math.max(0, at - AROUND), Math.min(lines.length, at + AROUND + 1)));
}

/** Windows that do not overlap, each judged as one document: the way a text is cut up for retrieval. */
function bestWindows(lines: readonly string[], goal: string): Piece[] {
  const starts = lines.flatMap((_, at) => (at % WINDOW === 0 ? [at] : []));
  const windows = starts.map((start) => range(start, Math.min(lines.length, start + WINDOW)));
  const words = windows.map(({ first, end }) => lines.slice(first, end).flatMap(wordsOf));
  return bestFirst(windows, bm25(words, goal));
}

function bestLines(lines: readonly string[], goal: string): Piece[] {
  const scores = smoothed(bm25(lines.map(wordsOf), goal));
  return bestFirst(
    lines.map((_, at) => range(at)),
    scores,
  );
}

/** Without what has no word of the goal. */
function bestFirst(pieces: readonly Piece[], scores: Float64Array): Piece[] {
  const order = Array.from(scores.keys()).filter((at) => (scores[at] ?? 0) > 0);
  order.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
  return order.flatMap((at) => pieces[at] ?? []);
}

/** Mean over the lines nearby, the nearer the heavier: finds more than a plain mean does, but for sections of docs. */
function smoothed(scores: Float64Array): Float64Array {
  return scores.map((_, index) => {
    let [sum, weights] = [0, 0];
    for (let near = Math.max(0, index - REACH); near <= Math.min(scores.length - 1, index + REACH); near += 1) {
      const weight = REACH + 1 - Math.abs(near - index);
      sum += weight * (scores[near] ?? 0);
      weights += weight;
    }
    return sum / weights;
  });
}
