import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_COUNTS } from '../../src/stats/counters.ts';
import { appendCounts, compactCounts, readCounts, readTally } from '../../src/stats/file.ts';
import { createRecorder } from '../../src/stats/recorder.ts';
import { reportOf } from '../../src/stats/report.ts';
import { temporary } from '../world.ts';

test('counts add up over recorders, and nobody else can read them', async () => {
  const directory = join(temporary(), 'state');
  const recorders = Array.from({ length: 5 }, () => createRecorder(directory, Date.now));
  for (const { add } of recorders) for (let at = 0; at < 10; at += 1) add('toolCalls');
  for (const { add } of recorders) add('tokensPruned', 100);
  await Promise.all(recorders.map(({ close }) => close()));
  expect(await readCounts(directory)).toEqual({ ...NO_COUNTS, toolCalls: 50, tokensPruned: 500 });
  expect(statSync(join(directory, 'stats.jsonl')).mode & 0o777).toBe(0o600);
});

test('calls of each server add up, through compaction too', async () => {
  const directory = temporary();
  for (const [at, isError] of [true, false, false].entries()) {
    const recorder = createRecorder(directory, Date.now);
    recorder.called('a', 10 * (at + 1), isError);
    await recorder.close();
  }
  appendFileSync(join(directory, 'stats.jsonl'), '{"calls":{"a":{"calls":"x"},"b":null}}\n');
  const expected = { calls: 3, errors: 1, milliseconds: 60, slowest: 30 };
  expect((await readTally(directory)).calls['a']).toEqual(expected);
});

test('counts of nobody are none', async () => {
  expect(await readCounts(join(temporary(), 'nothing'))).toEqual(NO_COUNTS);
});

test('lines that cannot be read cost no others', async () => {
  const directory = temporary();
  await appendCounts(directory, { toolCalls: 2 });
  appendFileSync(join(directory, 'stats.jsonl'), '{"toolCalls": \nnull\n[]\n{"toolCalls":"x","listings":1e999}\n\n');
  await appendCounts(directory, { toolCalls: 3 });
  expect((await readCounts(directory)).toolCalls).toBe(5);
});

test('processes that write at the same time lose nothing', async () => {
  const directory = temporary();
  const line = `${JSON.stringify({ toolCalls: 1, tokensPruned: -2 })}\\n`;
  const program = `const fs=require('fs');for(let i=0;i<300;i++)fs.appendFileSync(process.argv[1],'${line}')`;
  const writers = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['-e', program, join(directory, 'stats.jsonl')]),
  );
  await Promise.all([...writers.map((writer) => once(writer, 'exit')), appendCounts(directory, { toolCalls: 100 })]);
  expect(await readCounts(directory)).toEqual({ ...NO_COUNTS, toolCalls: 1000, tokensPruned: -1800 });
});

test('a full file is set aside, and summed up when nobody writes to it any more', async () => {
  const directory = temporary();
  const line = `${JSON.stringify({ toolCalls: 1 })}\n`;
  writeFileSync(join(directory, 'stats.jsonl'), line.repeat(20_000));
  await compactCounts(directory, 1_000_000);
  await appendCounts(directory, { toolCalls: 5 });
  expect((await readCounts(directory)).toolCalls).toBe(20_005);
  await compactCounts(directory, 1_010_000);
  expect((await readCounts(directory)).toolCalls).toBe(20_005);
  await Promise.all([compactCounts(directory, 1_100_000), compactCounts(directory, 1_100_000)]);
  expect((await readCounts(directory)).toolCalls).toBe(20_005);
  const sizes = readdirSync(directory).map((name) => readFileSync(join(directory, name)).length);
  expect(Math.max(...sizes)).toBeLessThan(1000);
});

test('what was saved is net of what was sent, and may be negative', () => {
  const counts = {
    ...NO_COUNTS,
    definitionTokensBefore: 100,
    ownDefinitionTokens: 350,
    definitionTokensSent: 50,
    catalogueCalls: 3,
  };
  expect(reportOf(counts, [])).toMatchObject({ definitionTokensSaved: -300, extraRoundTrips: 3 });
});
