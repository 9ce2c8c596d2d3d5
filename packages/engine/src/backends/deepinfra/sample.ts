// The least a scored line can have once others went unscored: those must find room below it.
const SCORED_FLOOR = 1e-6;

/** At most `max` of the indexes, first and last among them, evenly apart. */
export function sampleEvenly(indexes: readonly number[], max: number): number[] {
  const count = Math.max(1, Math.floor(max));
  if (indexes.length <= count) return [...indexes];
  const step = count === 1 ? 0 : (indexes.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, place) => indexes[Math.round(place * step)] ?? 0);
}

export interface Sampled {
  /** How many scores are wanted in all. */
  readonly length: number;
  /** The lines that should have a score; all others get 0. */
  readonly wanted: readonly number[];
  /** The lines that were sent, and beside each its score in 0..1, undefined where none came back. */
  readonly sent: readonly number[];
  readonly scores: readonly (number | undefined)[];
}

/**
 * A score for every wanted line. One that was not scored ranks strictly below both scored lines around it, and higher the
 * nearer it is to the better of them: a limit that needs more lines than were scored still has an order to follow.
 */
export function spreadScores({ length, wanted, sent, scores }: Sampled): Float64Array {
  const known = sent.flatMap((line, place) => {
    const score = scores[place];
    return score === undefined ? [] : [{ line, score }];
  });
  const floor = known.length < wanted.length ? SCORED_FLOOR : 0;
  const result = new Float64Array(length);
  let next = 0;
  for (const line of wanted) {
    while (next < known.length && (known[next]?.line ?? 0) < line) next += 1;
    const after = known[next];
    const before = known[next - 1];
    result[line] =
      after?.line === line ? Math.max(after.score, floor) : between(line, before ?? after, after ?? before);
  }
  return result;
}

interface Scored {
  readonly line: number;
  readonly score: number;
}

function between(line: number, before: Scored | undefined, after: Scored | undefined): number {
  if (before === undefined || after === undefined) return 0;
  const span = after.line - before.line;
  const weight = span === 0 ? 0 : (line - before.line) / span;
  const interpolated = before.score + (after.score - before.score) * weight;
  return Math.max(Math.min(before.score, after.score), SCORED_FLOOR) * (0.5 + 0.49 * interpolated);
}
