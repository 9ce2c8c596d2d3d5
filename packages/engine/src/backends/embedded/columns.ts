import { boxMean } from './smooth.ts';

/** One value per line. */
export type Values = Float32Array;

/**
 * Takes each feature as it is computed. The values are only lent: they change once the next feature is computed, so that
 * a text of many lines needs room for a few columns instead of one per feature.
 */
export interface Columns {
  /** Whether a model has a weight for this feature; one without a weight is not even computed. */
  readonly wants: (feature: string) => boolean;
  /** The feature's value is `values[line] * scale + shift`. */
  readonly add: (feature: string, values: Values, scale?: number, shift?: number) => void;
  /** A feature that is the same for every line. */
  readonly addConstant: (feature: string, value: number) => void;
}

/** Columns to write to and to write over. A caller that takes one gives it back. */
export class Scratch {
  readonly #lines: number;
  readonly #free: Values[] = [];

  constructor(lines: number) {
    this.#lines = lines;
  }

  /** Holds whatever was last written to it. */
  take(): Values {
    return this.#free.pop() ?? new Float32Array(this.#lines);
  }

  giveBack(...columns: readonly Values[]): void {
    this.#free.push(...columns);
  }
}

/** Where features go, and the room they are computed in. */
export interface Sink {
  readonly columns: Columns;
  readonly scratch: Scratch;
}

/** How far smoothing reaches, in lines to each side. */
const CLOSE = 2;
const WIDE = 6;

/**
 * Adds how far a line stands out in its own text: mean 0, deviation 1, by itself and smoothed over its neighbours. What
 * is much in one text is little in another, and this is what makes texts of all kinds and lengths comparable.
 */
export function addStanding({ columns, scratch }: Sink, feature: string, values: Values): void {
  const smoothed = [
    [`${feature}Z2`, CLOSE],
    [`${feature}Z6`, WIDE],
  ] as const;
  const wanted = smoothed.filter(([name]) => columns.wants(name));
  if (wanted.length === 0 && !columns.wants(`${feature}Z`)) return;
  const { scale, shift } = standing(values);
  columns.add(`${feature}Z`, values, scale, shift);
  const smooth = scratch.take();
  for (const [name, radius] of wanted) columns.add(name, boxMean(values, radius, smooth), scale, shift);
  scratch.giveBack(smooth);
}

function standing(values: Values): { scale: number; shift: number } {
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / Math.max(1, values.length);
  const deviation = Math.sqrt(Math.max(0, squares / Math.max(1, values.length) - mean * mean));
  return deviation < 1e-6 ? { scale: 0, shift: 0 } : { scale: 1 / deviation, shift: -mean / deviation };
}
