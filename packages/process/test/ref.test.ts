import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { endProcess, isRunning, noteProcess, waitForEnd } from '../src/ref.ts';

const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

async function start(program: string): Promise<number> {
  const child = spawn(process.execPath, ['-e', `${program}; console.log('up')`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

function noted(pid: number): NonNullable<ReturnType<typeof noteProcess>> {
  const found = noteProcess(pid);
  if (found === undefined) throw new Error('not running');
  return found;
}

test('a process that follows SIGTERM is not killed', async () => {
  const ref = noted(await start('setInterval(() => {}, 1000)'));
  expect(isRunning(ref)).toBe(true);
  expect(await endProcess(ref, 10_000)).toEqual({ escalated: false });
  expect(isRunning(ref)).toBe(false);
});

test('one that ignores it is', async () => {
  const ref = noted(await start("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"));
  expect(await endProcess(ref, 300)).toEqual({ escalated: true });
  expect(isRunning(ref)).toBe(false);
});

test('one that does not end in time is said to be there', async () => {
  const ref = noted(await start('setInterval(() => {}, 1000)'));
  expect(await waitForEnd(ref, 100)).toBe(false);
  await endProcess(ref, 10_000);
  expect(await waitForEnd(ref, 0)).toBe(true);
});

test('a process that got the number of another is left alone', async () => {
  const pid = await start('setInterval(() => {}, 1000)');
  const ref = noted(pid);
  const impostor = { pid, started: '1' };
  expect(isRunning(impostor)).toBe(false);
  await endProcess(impostor, 100);
  expect(isRunning(ref)).toBe(true);
});

test.each([0, 1, -1, 1.5, Number.NaN, 2 ** 30])('%s is no process to note', (pid) => {
  expect(noteProcess(pid)).toBeUndefined();
});
