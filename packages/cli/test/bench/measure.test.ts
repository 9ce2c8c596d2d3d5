import { describe, expect, test } from 'vitest';
import { Means, measure } from '../../src/bench/measure.ts';

const scores = (...values: number[]): Float64Array => Float64Array.from(values);
const TEN = scores(1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1);

describe('measuring scores', () => {
  test.each([
    ['the best line', [1], [1, 1, 1], 1],
    ['the worst line', [10], [0, 0, 0], 0],
    ['the best and the third', [1, 3], [0.5, 1, 1], 15 / 16],
    ['the fifth line', [5], [0, 0, 1], 5 / 9],
  ])('finds %s', (_, gold, recall, auc) => {
    expect(measure(TEN, new Set(gold))).toEqual({ recall, auc });
  });

  test('equal scores count in the order of the text for recall, and half for the area', () => {
    expect(measure(scores(0.5, 0.5, 0.5, 0.5), new Set([4]))).toEqual({ recall: [0, 0, 0], auc: 0.5 });
  });

  test('a share of a line is a line', () => {
    expect(measure(scores(0, 1, 0), new Set([2]))?.recall).toEqual([1, 1, 1]);
  });

  test('there is no area when every line is gold, and nothing without gold', () => {
    expect(measure(scores(0.1, 0.2), new Set([1, 2]))?.auc).toBeUndefined();
    expect(measure(TEN, new Set())).toBeUndefined();
  });

  test('gold lines beyond the text are never found', () => {
    expect(measure(TEN, new Set([1, 99]))?.recall).toEqual([0.5, 0.5, 0.5]);
  });

  test('cases count the same, and those without an area not in its mean', () => {
    const means = new Means();
    means.add({ recall: [1, 1, 1], auc: undefined });
    means.add({ recall: [0, 0.5, 1], auc: 0.7 });
    expect([means.cases, means.recall, means.auc]).toEqual([2, [0.5, 0.75, 1], 0.7]);
  });
});
