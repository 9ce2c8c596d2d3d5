import { describe, expect, test } from 'vitest';
import { createPlaces } from '../../../src/host/http/places.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('places', () => {
  test('let so many run and so many wait, and turn the next one away', async () => {
    const places = createPlaces({ running: 2, waiting: 3 });
    const finish: (() => void)[] = [];
    const job = (): Promise<void> => new Promise((resolve) => finish.push(resolve));
    expect(Array.from({ length: 6 }, () => places.take(job))).toEqual([true, true, true, true, true, false]);
    expect(places.hasRoom()).toBe(false);
    await turn();
    await turn();
    await turn();
    expect(places.load()).toEqual({ running: 2, waiting: 3 });
    finish.shift()?.();
    await turn();
    await turn();
    expect(places.load()).toEqual({ running: 2, waiting: 2 });
    expect(places.hasRoom()).toBe(true);
  });

  test('start one job per turn of the event loop, in the order they came', async () => {
    const places = createPlaces({ running: 16, waiting: 64 });
    const seen: (number | string)[] = [];
    for (const at of [1, 2, 3]) places.take(async () => void seen.push(at));
    const watch = async (): Promise<void> => {
      for (let round = 0; round < 4; round += 1) {
        await turn();
        seen.push('turn');
      }
    };
    await watch();
    const numbers = seen.filter((entry) => typeof entry === 'number');
    expect(numbers).toEqual([1, 2, 3]);
    // Never two without a turn in between.
    expect(seen.join(' ')).not.toMatch(/\d \d/);
  });

  test('start nothing while turns still bring somebody new, though not for ever', async () => {
    let arrived = 0;
    let crowd = 20;
    const places = createPlaces({ running: 1, waiting: 1 }, () => (arrived < crowd ? ++arrived : arrived));
    const startedAfter: number[] = [];
    const job = async (): Promise<void> => void startedAfter.push(arrived);
    const started = async (count: number): Promise<void> => {
      while (startedAfter.length < count) await turn();
    };
    places.take(job);
    await started(1);
    crowd = Number.POSITIVE_INFINITY;
    places.take(job);
    await started(2);
    expect(startedAfter[0]).toBe(20);
    expect(startedAfter[1]).toBeGreaterThan(20);
    expect(startedAfter[1]).toBeLessThan(1000);
  });

  test('are given back by a job that ends badly', async () => {
    const places = createPlaces({ running: 1, waiting: 0 });
    const failing = Promise.reject(new Error('a defect'));
    failing.catch(() => undefined);
    const swallowed = (): Promise<void> => failing.catch(() => undefined);
    expect(places.take(swallowed)).toBe(true);
    await turn();
    await turn();
    expect(places.load()).toEqual({ running: 0, waiting: 0 });
  });
});
