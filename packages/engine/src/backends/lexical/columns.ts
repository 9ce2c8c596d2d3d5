import { relativeScale } from './smooth.ts';

/** One value per line. */
export type Values = Float32Array;

/**
 * Takes each feature as it is computed. The values are only lent: they change once the next feature is computed, so that
 * a text of many lines needs room for a few columns instead of one per feature.
 */
export interface Columns {
  readonly add: (feature: string, values: Values, scale?: number) => void;
  /** A feature that is the same for every line. */
  readonly addConstant: (feature: string, value: number) => void;
}

/** Adds a feature, and the same over its largest value. */
export function addBoth(columns: Columns, feature: string, values: Values): void {
  columns.add(feature, values);
  columns.add(`${feature}Relative`, values, relativeScale(values));
}

/** Columns to write to and to write over: whoever takes one gives it back. */
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
