import { describe, expect, test } from 'vitest';
import { estimate } from '../../src/compare/statistics.ts';

describe('an estimate', () => {
  test('has the mean and Student’s interval', () => {
    const { mean, t } = estimate([2, 4, 4, 4, 5, 5, 7, 9]);
    expect(mean).toBe(5);
    // s = 2.13809, n = 8, t(7) = 2.365
    expect(t?.[0]).toBeCloseTo(5 - 2.365 * (2.138_089_935 / Math.sqrt(8)), 6);
    expect(t?.[1]).toBeCloseTo(5 + 2.365 * (2.138_089_935 / Math.sqrt(8)), 6);
  });

  test('has an interval drawn from the values, which holds the mean and lies among them', () => {
    const values = Array.from({ length: 40 }, (_, at) => (at * 37) % 40);
    const { mean, bootstrap, t } = estimate(values);
    const [low, high] = bootstrap ?? [0, 0];
    expect(low).toBeLessThan(mean);
    expect(high).toBeGreaterThan(mean);
    // For so many values the two agree well.
    expect(Math.abs(low - (t?.[0] ?? 0))).toBeLessThan(0.6);
    expect(estimate(values)).toEqual(estimate(values));
  });

  test('of one value says nothing of its spread, of equal ones that there is none', () => {
    expect(estimate([3])).toEqual({ mean: 3, t: null, bootstrap: null });
    expect(estimate([3, 3, 3])).toEqual({ mean: 3, t: [3, 3], bootstrap: [3, 3] });
    expect(estimate([]).mean).toBe(0);
  });

  test('covers the truth about as often as it says', () => {
    let state = 1;
    const random = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const normal = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    let covered = 0;
    for (let round = 0; round < 200; round += 1) {
      const [low, high] = estimate(Array.from({ length: 40 }, normal)).t ?? [1, 1];
      if (low <= 0 && high >= 0) covered += 1;
    }
    expect(covered).toBeGreaterThan(180);
    expect(covered).toBeLessThan(200);
  });
});
