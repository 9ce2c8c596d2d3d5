import { createEmbeddedBackend } from '@jeeves/engine';
import { describe, expect, test } from 'vitest';
import { exactCounter } from '../../src/bench/count.ts';
import { keptRanges, type PruneTools, pruneRow } from '../../src/bench/prune.ts';

const gap = (startLine: number, endLine: number): { startLine: number; endLine: number } => ({ startLine, endLine });

describe('kept ranges', () => {
  test.each([
    ['all lines without a gap', 5, [], [[1, 5]]],
    [
      'what lies around a gap',
      9,
      [gap(3, 4)],
      [
        [1, 2],
        [5, 9],
      ],
    ],
    ['nothing before a gap at the start or after one at the end', 9, [gap(1, 2), gap(8, 9)], [[3, 7]]],
    ['a single line between gaps', 5, [gap(1, 2), gap(4, 5)], [[3, 3]]],
    ['nothing when all is gone', 3, [gap(1, 3)], []],
    ['nothing of no lines', 0, [], []],
  ])('are %s', (_, lines, gaps, kept) => {
    expect(keptRanges(lines, gaps)).toEqual(kept);
  });
});

describe('a pruned row', () => {
  const tools: PruneTools = {
    backend: createEmbeddedBackend(),
    newId: () => 'prn_x',
    now: () => 0,
    count: (text) => text.length,
  };

  test.each([
    ['blank gold lines do not count', 'a\n\nb\n', [1, 2], 1],
    ['gold lines beyond the text are never found', 'a\nb\n', [1, 9], 0.5],
    ['there is no recall when all gold lines are blank', 'a\n \n', [2], undefined],
    ['there is no recall without gold lines', 'a\n', [], undefined],
  ])('%s', async (_, text, gold, recall) => {
    expect((await pruneRow({ goal: 'a', text, gold }, {}, tools)).recall).toBe(recall);
  });

  test.each([
    ['of whole tokens', 0.39, 3],
    ['of at least one token', 0.01, 1],
  ])('has a budget %s', async (_, share, maxTokens) => {
    const row = { goal: 'a', text: 'abcdefghi\n' };
    expect((await pruneRow(row, { share }, tools)).maxTokens).toBe(maxTokens);
  });
});

describe('counting tokens exactly', () => {
  test('a long text has the tokens of its parts', async () => {
    const count = await exactCounter();
    const line = 'the quick brown fox jumps over 13 lazy dogs\n';
    expect(count(line.repeat(20_000))).toBe(count(line) * 20_000);
    expect(count('x'.repeat(450_000))).toBeGreaterThan(1000);
    expect(count('')).toBe(0);
  });
});
