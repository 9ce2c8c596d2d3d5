import { describe, expect, test } from 'vitest';
import type { PrunedOutput } from '../../src/pruner.ts';
import { listMatches, showMatches } from '../../src/tools/matches.ts';

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
  return { text, structuredText: text, pruning, ...parts };
}

describe('a listing', () => {
  test('has each line once, matches as matches', () => {
    expect(listMatches(MATCHES)).toMatchObject({
      lines: LINES,
      owners: [0, 0, 0, 1, 2, 3, 3, 3],
      places: [1, 3, 4, 6],
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

  test('are all of them where there is room', () => {
    expect(showMatches(listing, output(), 1000)).toMatchObject({ matches: MATCHES, rawCut: false });
  });

  test('are those whose own line is there where there is not', () => {
    const shown = showMatches(listing, output(), Buffer.byteLength(LINES.slice(0, 4).join('\n')));
    expect(shown.text).toBe(LINES.slice(0, 4).join('\n'));
    expect(shown.matches).toEqual(MATCHES.slice(0, 2));
    expect(shown).toMatchObject({ rawCut: true, pruning: { raw_bytes: Buffer.byteLength(shown.text) } });
  });

  test('are at least the beginning of the first', () => {
    const long = listMatches([{ path: 'a.ts', line: 1, column: 1, text: 'x'.repeat(100), before: ['y'], after: [] }]);
    const shown = showMatches(long, { ...output(), text: long.text, structuredText: long.text }, 10);
    expect(shown.matches).toEqual([{ path: 'a.ts', line: 1, column: 1, text: 'x'.repeat(10) }]);
    expect(shown.text).toBe(long.text.slice(0, 10));
  });

  test('are those of which pruning kept a line', () => {
    const kept = Uint8Array.of(0, 0, 0, 0, 1, 1, 0, 0);
    const applied = { attempted: true, applied: true, fallback: false, raw_bytes: 100, prune_id: 'prn_x' };
    const text = '⟦pruned 1-4 (4 lines)⟧\na.ts:8:eight\nb.ts-1-one\n⟦pruned 7-8 (2 lines)⟧';
    const pruned = output({ text, structuredText: text, kept, pruning: applied });
    expect(showMatches(listing, pruned, 1000)).toMatchObject({ text, matches: [MATCHES[2], MATCHES[3]] });
    const cut = showMatches(listing, pruned, 45);
    expect(cut.text).toBe('⟦pruned 1-4 (4 lines)⟧\na.ts:8:eight\n');
    expect(cut.matches).toEqual([MATCHES[2]]);
    expect(cut.prunedCut).toBe('[cut at 45 bytes; recover_text gives lines 6-8]');
  });
});
