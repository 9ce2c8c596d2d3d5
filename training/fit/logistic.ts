import { seeded } from './random.ts';
import type { Rows } from './rows.ts';

const BATCH = 256;
/** A feature that hardly varies in the cases must not get a weight that explodes when it does. */
const LEAST_DEVIATION = 0.03;

export interface FitOptions {
  readonly epochs: number;
  readonly rate: number;
  readonly decay: number;
  /** Features that may only speak for a line, never against it. */
  readonly nonNegative: readonly boolean[];
}

export interface Fit {
  readonly bias: number;
  /** For raw feature values: the standardisation used while fitting is folded in. */
  readonly weights: Float64Array;
  readonly loss: number;
}

/** Weighted logistic regression on standardised features, by Adam. */
export function fitLogistic(rows: Rows, options: FitOptions): Fit {
  const width = rows.features.length / rows.labels.length;
  const { mean, deviation } = moments(rows.features, width);
  const state = {
    weights: new Float64Array(width + 1),
    first: new Float64Array(width + 1),
    second: new Float64Array(width + 1),
    step: 0,
  };
  const order = Uint32Array.from({ length: rows.labels.length }, (_, at) => at);
  const random = seeded(7);
  const total = options.epochs * order.length;
  let loss = 0;
  for (let epoch = 0; epoch < options.epochs; epoch += 1) {
    shuffle(order, random);
    loss = 0;
    for (let start = 0; start < order.length; start += BATCH) {
      const batch = order.subarray(start, start + BATCH);
      const { gradient, batchLoss } = gradientOf(rows, batch, state.weights, { mean, deviation, width });
      loss += batchLoss;
      adam(state, gradient, options.rate * (1 - (0.9 * (epoch * order.length + start)) / total), options.decay);
      for (const [at, only] of options.nonNegative.entries())
        if (only && (state.weights[at] ?? 0) < 0) state.weights[at] = 0;
    }
  }
  return {
    ...unstandardise(state.weights, mean, deviation),
    loss: loss / rows.weights.reduce((sum, weight) => sum + weight, 0),
  };
}

interface Scale {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
  readonly width: number;
}

/** Gradient of the weighted log loss; the last entry is the bias. */
function gradientOf(rows: Rows, batch: Uint32Array, weights: Float64Array, { mean, deviation, width }: Scale) {
  const gradient = new Float64Array(width + 1);
  const values = new Float64Array(width);
  let batchLoss = 0;
  let batchWeight = 0;
  for (const row of batch) {
    let sum = weights[width] ?? 0;
    for (let at = 0; at < width; at += 1) {
      const value = ((rows.features[row * width + at] ?? 0) - (mean[at] ?? 0)) / (deviation[at] ?? 1);
      values[at] = value;
      sum += (weights[at] ?? 0) * value;
    }
    const likely = 1 / (1 + Math.exp(-sum));
    const label = rows.labels[row] ?? 0;
    const weight = rows.weights[row] ?? 0;
    const error = (likely - label) * weight;
    for (let at = 0; at < width; at += 1) gradient[at] = (gradient[at] ?? 0) + error * (values[at] ?? 0);
    gradient[width] = (gradient[width] ?? 0) + error;
    batchWeight += weight;
    batchLoss -= weight * Math.log(Math.max(1e-9, label === 1 ? likely : 1 - likely));
  }
  return { gradient: gradient.map((value) => value / Math.max(1e-9, batchWeight)), batchLoss };
}

interface AdamState {
  readonly weights: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
  step: number;
}

function adam(state: AdamState, gradient: Float64Array, rate: number, decay: number): void {
  state.step += 1;
  const firstScale = 1 - 0.9 ** state.step;
  const secondScale = 1 - 0.999 ** state.step;
  for (let at = 0; at < gradient.length; at += 1) {
    const slope = (gradient[at] ?? 0) + decay * (state.weights[at] ?? 0);
    state.first[at] = 0.9 * (state.first[at] ?? 0) + 0.1 * slope;
    state.second[at] = 0.999 * (state.second[at] ?? 0) + 0.001 * slope * slope;
    const move = (state.first[at] ?? 0) / firstScale / (Math.sqrt((state.second[at] ?? 0) / secondScale) + 1e-8);
    state.weights[at] = (state.weights[at] ?? 0) - rate * move;
  }
}

function moments(features: Float32Array, width: number): { mean: Float64Array; deviation: Float64Array } {
  const count = features.length / width;
  const mean = new Float64Array(width);
  const deviation = new Float64Array(width);
  for (const [at, value] of features.entries()) mean[at % width] = (mean[at % width] ?? 0) + value / count;
  for (const [at, value] of features.entries()) {
    deviation[at % width] = (deviation[at % width] ?? 0) + (value - (mean[at % width] ?? 0)) ** 2 / count;
  }
  return { mean, deviation: deviation.map((variance) => Math.max(LEAST_DEVIATION, Math.sqrt(variance))) };
}

function unstandardise(
  standard: Float64Array,
  mean: Float64Array,
  deviation: Float64Array,
): { bias: number; weights: Float64Array } {
  const weights = mean.map((_, at) => (standard[at] ?? 0) / (deviation[at] ?? 1));
  const shift = weights.reduce((sum, weight, at) => sum + weight * (mean[at] ?? 0), 0);
  return { bias: (standard[mean.length] ?? 0) - shift, weights };
}

function shuffle(order: Uint32Array, random: () => number): void {
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const held = order[at] ?? 0;
    order[at] = order[other] ?? 0;
    order[other] = held;
  }
}
