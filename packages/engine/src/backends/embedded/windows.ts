import type { RangeScore } from './bm25.ts';

/** For each text the best score among the half-overlapping windows of `size` texts it stands in, written to `best`. */
export function bestWindows(
  score: (first: number, end: number) => RangeScore,
  size: number,
  best: Float32Array,
): Float32Array {
  const count = best.length;
  best.fill(0);
  const step = size >> 1;
  for (let first = 0; first < count; first += step) {
    const end = Math.min(count, first + size);
    const { match } = score(first, end);
    for (let at = first; at < end; at += 1) if (match > (best[at] ?? 0)) best[at] = match;
    if (end === count) break;
  }
  return best;
}
