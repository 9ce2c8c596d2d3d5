import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followEventFile } from '../src/eventFile.ts';
import { world } from './world.ts';

const { path } = world();
let count = 0;

function follow(): { file: string; seen: string[]; drain: () => void; stop: () => void } {
  count += 1;
  const file = join(path, `events-${count}.jsonl`);
  const seen: string[] = [];
  const followed = followEventFile(file, ({ event }) => seen.push(event));
  return { file, seen, ...followed };
}

function line(event: string): string {
  return `${JSON.stringify({ ts: '2026-01-01T00:00:00Z', level: 'info', event })}\n`;
}

test('a file that is not there yet is read once it is', () => {
  const { file, seen, drain, stop } = follow();
  drain();
  appendFileSync(file, line('a'));
  drain();
  appendFileSync(file, line('b'));
  stop();
  expect(seen).toEqual(['a', 'b']);
});

test('half a line waits for its other half, also within a character', () => {
  const { file, seen, drain, stop } = follow();
  const bytes = Buffer.from(line('é'));
  const middle = bytes.indexOf(0xc3) + 1;
  appendFileSync(file, bytes.subarray(0, middle));
  drain();
  expect(seen).toEqual([]);
  appendFileSync(file, bytes.subarray(middle));
  stop();
  expect(seen).toEqual(['é']);
});

test('what is no event is skipped', () => {
  const { file, seen, stop } = follow();
  appendFileSync(file, `not json\n[]\nnull\n{"event":1}\n\n${line('good')}`);
  stop();
  expect(seen).toEqual(['good']);
});

test('a line without end does not pile up, and what follows it is read', () => {
  const { file, seen, drain, stop } = follow();
  for (let round = 0; round < 3; round += 1) {
    appendFileSync(file, 'x'.repeat(900_000));
    drain();
  }
  appendFileSync(file, `${line('swallowed')}${line('good')}`);
  stop();
  expect(seen).toEqual(['good']);
});

test('lines arrive without being asked for', async () => {
  const { file, seen, stop } = follow();
  appendFileSync(file, line('a'));
  await expect.poll(() => seen, { timeout: 10_000 }).toEqual(['a']);
  stop();
});
