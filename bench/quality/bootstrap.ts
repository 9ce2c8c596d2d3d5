import { seededRandom } from '../../training/mine/random.ts';
import { mean, percentile } from './metrics.ts';

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
  const means: number[] = [];
  for (let round = 0; round < RESAMPLES; round += 1) {
    let sum = 0;
    for (let drawn = 0; drawn < differences.length; drawn += 1) {
      sum += differences[random.below(differences.length)] ?? 0;
    }
    means.push(sum / differences.length);
  }
  return { mean: mean(differences), low: percentile(means, 0.025), high: percentile(means, 0.975) };
}
