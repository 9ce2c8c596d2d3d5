/** A mean with two 95 % intervals: Student's, and one drawn from the sample itself, which assumes no shape. */
export interface Estimate {
  readonly mean: number;
  readonly t: Interval;
  readonly bootstrap: Interval;
}

/** Nothing can be said of a single value. */
export type Interval = readonly [low: number, high: number] | null;

const RESAMPLES = 4000;

/** Two-sided 95 % quantiles of Student's distribution by degrees of freedom, from 1. */
const T95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/** The same values always give the same estimate: the drawing starts from a fixed seed. */
export function estimate(values: readonly number[]): Estimate {
  const average = mean(values);
  return { mean: average, t: tInterval(values, average), bootstrap: bootstrapInterval(values) };
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function tInterval(values: readonly number[], average: number): Interval {
  const n = values.length;
  if (n < 2) return null;
  const variance = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (n - 1);
  const half = quantile(n - 1) * Math.sqrt(variance / n);
  return [average - half, average + half];
}

/** Beyond the table the distribution is close to the normal one; the correction is good to three digits. */
function quantile(degrees: number): number {
  return T95[degrees - 1] ?? 1.96 + 2.4 / degrees;
}

function bootstrapInterval(values: readonly number[]): Interval {
  const n = values.length;
  if (n < 2) return null;
  const random = mulberry32(0x9e3779b9);
  const means: number[] = [];
  for (let round = 0; round < RESAMPLES; round += 1) {
    let sum = 0;
    for (let draw = 0; draw < n; draw += 1) sum += values[Math.floor(random() * n)] ?? 0;
    means.push(sum / n);
  }
  means.sort((one, other) => one - other);
  return [means[Math.floor(RESAMPLES * 0.025)] ?? 0, means[Math.ceil(RESAMPLES * 0.975) - 1] ?? 0];
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
