import type { Rows } from './rows.ts';

export interface Fit {
  readonly bias: number;
  /** For raw feature values: the standardisation used while fitting is folded in. */
  readonly weights: Float64Array;
  /** Mean loss per weighted line. */
  readonly loss: number;
}

const ROUNDS = 14;
const SETTLED = 1e-4;
/** A step of Newton's may overshoot far from the solution. */
const LONGEST_STEP = 1.5;
/** A feature that hardly varies in the cases must not get a weight that explodes when it does. */
const LEAST_DEVIATION = 0.02;

/** Weighted logistic regression with offsets and a ridge, by Newton's method on standardised features. Deterministic. */
export function fitLogistic(rows: Rows, ridge: number): Fit {
  const { mean, deviation } = moments(rows);
  const size = rows.width + 1;
  const beta = new Float64Array(size);
  let loss = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { gradient, curvature, total } = derivatives(rows, beta, mean, deviation);
    loss = total;
    for (let at = 0; at < rows.width; at += 1) {
      gradient[at] = (gradient[at] ?? 0) + ridge * (beta[at] ?? 0);
      add(curvature, at, at, ridge);
    }
    const step = solve(curvature, gradient);
    let longest = 0;
    for (let at = 0; at < size; at += 1) {
      const move = Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, step[at] ?? 0));
      beta[at] = (beta[at] ?? 0) - move;
      longest = Math.max(longest, Math.abs(move));
    }
    if (longest < SETTLED) break;
  }
  const weights = Float64Array.from({ length: rows.width }, (_, at) => (beta[at] ?? 0) / (deviation[at] ?? 1));
  const shift = weights.reduce((sum, weight, at) => sum + weight * (mean[at] ?? 0), 0);
  return { bias: (beta[rows.width] ?? 0) - shift, weights, loss };
}

function derivatives(rows: Rows, beta: Float64Array, mean: Float64Array, deviation: Float64Array) {
  const { width } = rows;
  const gradient = new Float64Array(width + 1);
  const curvature = Array.from({ length: width + 1 }, () => new Float64Array(width + 1));
  const values = new Float64Array(width + 1).fill(1);
  let [lost, weighed] = [0, 0];
  for (let row = 0; row < rows.labels.length; row += 1) {
    let sum = (beta[width] ?? 0) + (rows.offsets[row] ?? 0);
    for (let at = 0; at < width; at += 1) {
      const value = ((rows.features[row * width + at] ?? 0) - (mean[at] ?? 0)) / (deviation[at] ?? 1);
      values[at] = value;
      sum += value * (beta[at] ?? 0);
    }
    const likely = 1 / (1 + Math.exp(-sum));
    const weight = rows.weights[row] ?? 0;
    const label = rows.labels[row] ?? 0;
    lost -= weight * Math.log(Math.max(1e-9, label === 1 ? likely : 1 - likely));
    weighed += weight;
    const error = (likely - label) * weight;
    const bend = Math.max(1e-6, likely * (1 - likely)) * weight;
    for (let at = 0; at <= width; at += 1) {
      const value = values[at] ?? 0;
      gradient[at] = (gradient[at] ?? 0) + error * value;
      for (let other = 0; other <= at; other += 1) add(curvature, at, other, bend * value * (values[other] ?? 0));
    }
  }
  return { gradient, curvature, total: lost / weighed };
}

function add(matrix: readonly Float64Array[], row: number, column: number, value: number): void {
  const cells = matrix[row];
  if (cells !== undefined) cells[column] = (cells[column] ?? 0) + value;
}

/** Solves by Cholesky's method; only the lower half of `matrix` is read, and it is written over. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const at = (row: number, column: number): number => matrix[row]?.[column] ?? 0;
  const size = right.length;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let sum = at(row, column);
      for (let k = 0; k < column; k += 1) sum -= at(row, k) * at(column, k);
      const cells = matrix[row];
      if (cells !== undefined)
        cells[column] = row === column ? Math.sqrt(Math.max(sum, 1e-9)) : sum / at(column, column);
    }
  }
  const found = Float64Array.from(right);
  for (let row = 0; row < size; row += 1) {
    for (let k = 0; k < row; k += 1) found[row] = (found[row] ?? 0) - at(row, k) * (found[k] ?? 0);
    found[row] = (found[row] ?? 0) / at(row, row);
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    for (let k = row + 1; k < size; k += 1) found[row] = (found[row] ?? 0) - at(k, row) * (found[k] ?? 0);
    found[row] = (found[row] ?? 0) / at(row, row);
  }
  return found;
}

function moments({ features, width, weights }: Rows): { mean: Float64Array; deviation: Float64Array } {
  const mean = new Float64Array(width);
  const square = new Float64Array(width);
  let total = 0;
  for (let row = 0; row < weights.length; row += 1) {
    const weight = weights[row] ?? 0;
    total += weight;
    for (let at = 0; at < width; at += 1) {
      const value = features[row * width + at] ?? 0;
      mean[at] = (mean[at] ?? 0) + weight * value;
      square[at] = (square[at] ?? 0) + weight * value * value;
    }
  }
  for (let at = 0; at < width; at += 1) mean[at] = (mean[at] ?? 0) / total;
  const deviation = square.map((sum, at) =>
    Math.max(LEAST_DEVIATION, Math.sqrt(Math.max(0, sum / total - (mean[at] ?? 0) ** 2))),
  );
  return { mean, deviation };
}

/** Mean loss of a model on rows that did not teach it. */
export function lossOf(rows: Rows, { bias, weights }: Pick<Fit, 'bias' | 'weights'>): number {
  let [lost, weighed] = [0, 0];
  for (let row = 0; row < rows.labels.length; row += 1) {
    let sum = bias + (rows.offsets[row] ?? 0);
    for (let at = 0; at < rows.width; at += 1) sum += (weights[at] ?? 0) * (rows.features[row * rows.width + at] ?? 0);
    const likely = 1 / (1 + Math.exp(-sum));
    const weight = rows.weights[row] ?? 0;
    lost -= weight * Math.log(Math.max(1e-9, rows.labels[row] === 1 ? likely : 1 - likely));
    weighed += weight;
  }
  return lost / weighed;
}
