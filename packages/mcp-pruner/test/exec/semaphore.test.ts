import { expect, it } from 'vitest';
import { createSemaphore } from '../../src/exec/semaphore.ts';

const never = new AbortController().signal;

it('lets so many in, and the next one for each that leaves, in order', async () => {
  const semaphore = createSemaphore(2);
  const entered: number[] = [];
  const enter = async (number: number): Promise<() => void> => {
    const release = await semaphore.acquire(never);
    entered.push(number);
    return release;
  };
  const [first, second] = await Promise.all([enter(1), enter(2)]);
  const waiting = [enter(3), enter(4)];
  await Promise.resolve();
  expect(entered).toEqual([1, 2]);
  second?.();
  await waiting[0];
  expect(entered).toEqual([1, 2, 3]);
  first?.();
  await waiting[1];
  expect(entered).toEqual([1, 2, 3, 4]);
});

it('takes a place back once, however often it is given back', async () => {
  const semaphore = createSemaphore(1);
  const release = await semaphore.acquire(never);
  release();
  release();
  await semaphore.acquire(never);
  await expect(semaphore.acquire(AbortSignal.timeout(20))).rejects.toThrow('timeout');
});

it('forgets who gave up waiting', async () => {
  const semaphore = createSemaphore(1);
  const release = await semaphore.acquire(never);
  const controller = new AbortController();
  const given = semaphore.acquire(controller.signal);
  const patient = semaphore.acquire(never);
  controller.abort(new Error('gave up'));
  await expect(given).rejects.toThrow('gave up');
  release();
  await expect(patient).resolves.toBeTypeOf('function');
});

it('lets nobody in who was aborted before', async () => {
  await expect(createSemaphore(1).acquire(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
});
