/** How long stretches are, as powers of two. */
const POWERS = [10, 12, 14, 16, 18, 20, 22] as const;

/** Instead of more stretches than this, longer ones are asked for. */
const MOST = 5;

const NAMES = POWERS.map((power) => `'#s${power}.' || (seq >> ${power})::text`).join(', ');

/**
 * What the index of words holds of a segment: its words, its facets, and the stretches of neighbouring numbers that it
 * lies in, one of each length. Part of a released step of the schema: as it stands here it stays.
 */
export const INDEXED: string = `(words || array_to_tsvector(ARRAY[${NAMES}]))`;

/** The newest numbers: the names of the stretches that hold them, as the index knows them. */
export interface Newest {
  readonly numbers: number;
  readonly stretches: readonly string[];
}

/** At least so many numbers, counted back from the newest one, in whole stretches. Undefined where these are all. */
export function newestNumbers(newest: number, numbers: number): Newest | undefined {
  for (const power of POWERS) {
    const length = 2 ** power;
    const first = Math.floor((newest - numbers + 1) / length);
    const last = Math.floor(newest / length);
    if (first <= 0) return undefined;
    if (last - first >= MOST) continue;
    const stretches = Array.from({ length: last - first + 1 }, (_, at) => `#s${power}.${first + at}`);
    return { numbers: newest - first * length + 1, stretches };
  }
  return undefined;
}
