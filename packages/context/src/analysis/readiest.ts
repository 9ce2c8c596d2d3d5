import type { Numbers } from './numbers.ts';

/** How candidates are compared, by place: by score, the largest of equals first, then the oldest. */
export interface Measures {
  /** Whole thousandths. */
  readonly scores: Uint16Array;
  readonly tokens: Numbers;
}

const STEPS = 1000;

/**
 * The `most` readiest of these places, in order. Scores have a thousand steps, so counting how many have each tells
 * where to stop. Thousands may have that last score: of those no more than twice as many as wanted are held at a time.
 */
export function readiest(places: Uint32Array, most: number, { scores, tokens }: Measures): number[] {
  const compare = (a: number, b: number): number =>
    (scores[b] as number) - (scores[a] as number) || (tokens[b] as number) - (tokens[a] as number) || a - b;
  const least = places.length <= most ? 0 : lowestScore(places, most, scores);
  let best: number[] = [];
  let last = -1;
  let lastScore = least;
  let lastTokens = Number.NEGATIVE_INFINITY;
  for (let next = 0; next < places.length; next += 1) {
    const at = places[next] as number;
    const score = scores[at] as number;
    if (score < lastScore) continue;
    if (score === lastScore) {
      const weight = tokens[at] as number;
      if (weight < lastTokens || (weight === lastTokens && at > last)) continue;
    }
    best.push(at);
    if (best.length < 2 * most) continue;
    best = best.sort(compare).slice(0, most);
    last = best[most - 1] as number;
    lastScore = scores[last] as number;
    lastTokens = tokens[last] as number;
  }
  return best.sort(compare).slice(0, most);
}

function lowestScore(places: Uint32Array, most: number, scores: Uint16Array): number {
  const counts = new Uint32Array(STEPS + 1);
  for (let next = 0; next < places.length; next += 1) {
    const score = scores[places[next] as number] as number;
    counts[score] = (counts[score] as number) + 1;
  }
  let least = STEPS;
  for (let seen = counts[STEPS] as number; seen < most && least > 0; seen += counts[least] as number) least -= 1;
  return least;
}
