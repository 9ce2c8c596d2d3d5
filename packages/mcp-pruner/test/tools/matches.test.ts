import { describe, expect, test } from 'vitest';
import type { PrunedOutput } from '../../src/pruner.ts';
import { listMatches, shownMatches } from '../../src/tools/matches.ts';

const MATCHES = [
  { path: 'a.ts', line: 5, column: 3, text: 'five', before: ['four'], after: ['six'] },
  { path: 'a.ts', line: 7, column: 1, text: 'seven', before: ['six'], after: ['eight'] },
  { path: 'a.ts', line: 8, column: null, text: 'eight', before: ['seven'], after: [] },
  { path: 'b.ts', line: 2, column: 1, text: 'two', before: ['one'], after: ['three'] },
];
const LINES = [
  'a.ts-4-four',
  'a.ts:5:3:five',
  'a.ts-6-six',
  'a.ts:7:1:seven',
  'a.ts:8:eight',
  'b.ts-1-one',
  'b.ts:2:1:two',
  'b.ts-3-three',
];

function output(parts: Partial<PrunedOutput> = {}): PrunedOutput {
  const text = LINES.join('\n');
  const pruning = { attempted: false, applied: false, fallback: false, raw_bytes: Buffer.byteLength(text) };
  return { text, structuredText: text, truncated: false, pruning, ...parts };
}

describe('a listing', () => {
  test('has each line once, matches as matches', () => {
    expect(listMatches(MATCHES)).toMatchObject({
      lines: LINES,
      owners: [0, 0, 0, 1, 2, 3, 3, 3],
    });
  });

  test('has one line per match, whatever a file is called', () => {
    const { lines } = listMatches([{ path: 'odd\nname\r', line: 1, column: 1, text: 'x' }]);
    expect(lines).toEqual(['odd\\nname\\r:1:1:x']);
  });

  test('of nothing is empty', () => {
    expect(listMatches([])).toMatchObject({ lines: [], text: '' });
  });
});

describe('matches that are shown', () => {
  const listing = listMatches(MATCHES);

  test('are all of them where nothing was taken away', () => {
    expect(shownMatches(listing, output())).toEqual(MATCHES);
  });

  test('are those of which a line is there', () => {
    const kept = Uint8Array.of(0, 0, 0, 0, 1, 1, 0, 0);
    expect(shownMatches(listing, output({ kept }))).toEqual([MATCHES[2], MATCHES[3]]);
  });

  test('are the beginning of the first where no line is whole', () => {
    const cut = output({ text: 'x'.repeat(10), truncated: true });
    const long = listMatches([{ path: 'a.ts', line: 1, column: 1, text: 'x'.repeat(100), before: ['y'], after: [] }]);
    expect(shownMatches(long, cut)).toEqual([{ path: 'a.ts', line: 1, column: 1, text: 'x'.repeat(10) }]);
  });
});
