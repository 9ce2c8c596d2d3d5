import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeToolOutput } from '../../src/record/toolRaw.ts';
import { world } from '../world.ts';

const { path } = world();

test.each([
  ['short', 'one line\n', 1],
  ['longer than a piece', 'a'.repeat(64_001), 2],
  ['a pair of units on the edge', `${'a'.repeat(63_999)}😀${'b'.repeat(70_000)}`, 3],
])('an output that is %s is written in pieces that make it up', (_, text, chunks) => {
  const directory = mkdtempSync(join(path, 'raw-'));
  const found = writeToolOutput(directory, 'call_1', text);
  if (found.status !== 'available') throw new Error('nothing written');
  expect(found).toMatchObject({ handle: 'tool-output://call_1', chunk_count: chunks });
  expect(found.artifact_paths.map((part) => readFileSync(join(directory, part), 'utf8')).join('')).toBe(text);
  for (const part of found.artifact_paths) expect(readFileSync(join(directory, part), 'utf8')).not.toContain('\uFFFD');
});

test('an empty one is not', () => {
  const directory = mkdtempSync(join(path, 'raw-'));
  expect(writeToolOutput(directory, 'call_1', '')).toEqual({
    status: 'not_applicable',
    not_applicable_reason: 'tool output was empty',
  });
  expect(existsSync(join(directory, 'tool-raw'))).toBe(false);
});

test.each(['../../escape', '/etc/passwd', '..', '.hidden', 'a/b\\c', 'x'.repeat(500), '', 'ü\u0000'])(
  'the id %j stays in its folder',
  (id) => {
    const directory = mkdtempSync(join(path, 'raw-'));
    writeToolOutput(directory, id, 'text');
    const [name = ''] = readdirSync(join(directory, 'tool-raw'));
    expect(name).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]*\.part-001\.txt$/);
    expect(name.length).toBeLessThanOrEqual(133);
  },
);
