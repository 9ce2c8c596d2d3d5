import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventsOf } from '../src/iterate.ts';

async function collect(source: AsyncIterable<number>): Promise<number[]> {
  const seen: number[] = [];
  for await (const value of source) seen.push(value);
  return seen;
}

async function* numbers(): AsyncGenerator<number> {
  yield 1;
  await delay(1);
  yield 2;
}

async function* stuck(): AsyncGenerator<number> {
  yield 1;
  await new Promise(() => undefined);
}

async function* failing(): AsyncGenerator<number> {
  yield* numbers();
  throw new Error('no model');
}

test('passes on what comes, in order', async () => {
  expect(await collect(eventsOf(numbers(), new AbortController().signal))).toEqual([1, 2]);
});

test('a source that ends quietly after it was told to stop was still stopped', async () => {
  const controller = new AbortController();
  controller.abort(new Error('told to stop'));
  await expect(collect(eventsOf(numbers(), controller.signal))).rejects.toThrow('told to stop');
});

test('one that never stops is left alone after a while', async () => {
  const controller = new AbortController();
  const events = collect(eventsOf(stuck(), controller.signal, 20));
  controller.abort();
  await expect(events).rejects.toMatchObject({ code: 'aborted' });
});

test('a reader that stops in the middle has the source clean up', async () => {
  let cleaned = false;
  async function* source(): AsyncGenerator<number> {
    try {
      yield* numbers();
    } finally {
      await delay(1);
      cleaned = true;
    }
  }
  for await (const value of eventsOf(source(), new AbortController().signal)) if (value === 1) break;
  expect(cleaned).toBe(true);
});

test('what a source throws comes through', async () => {
  await expect(collect(eventsOf(failing(), new AbortController().signal))).rejects.toThrow('no model');
});
