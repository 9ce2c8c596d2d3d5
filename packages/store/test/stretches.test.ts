import { describe, expect, it } from 'vitest';
import { newestNumbers } from '../src/postgres/stretches.ts';

describe('the newest numbers', () => {
  it.each([
    [5000, 1, 4096, ['#s10.4']],
    [5000, 1500, 3072, ['#s10.3', '#s10.4']],
    [200_000, 4000, 195_584, ['#s10.191', '#s10.192', '#s10.193', '#s10.194', '#s10.195']],
    [200_000, 5000, 192_512, ['#s12.47', '#s12.48']],
    [9_000_000, 1_000_000, 7_864_320, ['#s18.30', '#s18.31', '#s18.32', '#s18.33', '#s18.34']],
  ])('of %i, at least %i, lie in whole stretches from %i on', (newest, numbers, from, stretches) => {
    expect(newestNumbers(newest, numbers)?.stretches).toEqual(stretches);
    const held = newestNumbers(newest, numbers)?.numbers ?? 0;
    expect(held).toBeGreaterThanOrEqual(numbers);
    expect(newest - held + 1).toBe(from);
  });

  it.each([
    [1, 1],
    [1023, 10],
    [5000, 4000],
    [5000, 9000],
    [5000, Number.POSITIVE_INFINITY],
  ])('of %i, at least %i, are all', (newest, numbers) => {
    expect(newestNumbers(newest, numbers)).toBeUndefined();
  });
});
