import { seededRandom } from '../../training/mine/random.ts';

export interface Difference {
  readonly mean: number;
  /** Ends of the 95 % interval. */
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2000;

/** Mean of `one − other` over the same cases, with the percentile interval of a paired bootstrap. */
export function pairedDifference(one: readonly number[], other: readonly number[], seed: string): Difference {
  const differences = one.map((value, index) => value - (other[index] ?? 0));
  const random = seededRandom(seed);
  const means = Array.from({ length: RESAMPLES }, () => mean(differences.map(() => random.pick(differences)))).sort(
    (a, b) => a - b,
  );
  const at = (share: number): number => means[Math.ceil(share * RESAMPLES) - 1] ?? Number.NaN;
  return { mean: mean(differences), low: at(0.025), high: at(0.975) };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
