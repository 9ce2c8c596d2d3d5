/** How candidates are compared: by score, the largest of equals first, then the oldest. */
export interface Measures {
  /** By place in the window; whole thousandths. */
  readonly scores: Uint16Array;
  readonly tokens: (at: number) => number;
}

const STEPS = 1000;

/**
 * The `most` readiest of these places, in order. Scores have a thousand steps, so counting how many have each tells
 * where to stop: only those above are sorted, however many there are.
 */
export function readiest(places: readonly number[], most: number, { scores, tokens }: Measures): number[] {
  const least = places.length <= most ? 0 : lowestScore(places, most, scores);
  return places
    .filter((at) => (scores[at] as number) >= least)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || tokens(b) - tokens(a) || a - b)
    .slice(0, most);
}

function lowestScore(places: readonly number[], most: number, scores: Uint16Array): number {
  const counts = new Uint32Array(STEPS + 1);
  for (const at of places) {
    const score = scores[at] as number;
    counts[score] = (counts[score] as number) + 1;
  }
  let least = STEPS;
  for (let seen = counts[STEPS] as number; seen < most && least > 0; seen += counts[least] as number) least -= 1;
  return least;
}
