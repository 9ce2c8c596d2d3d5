import { describe, expect, test } from 'vitest';
import { firstLines } from '../../src/tools/recovered.ts';

const RECOVERED = {
  pruneId: 'prn_x',
  text: 'three\nfour\nnine\nten\n',
  ranges: [
    { startLine: 3, endLine: 4 },
    { startLine: 9, endLine: 10 },
  ],
};

describe('recovered lines', () => {
  test('that fit are all there', () => {
    expect(firstLines(RECOVERED, 100)).toEqual({ recovered: RECOVERED });
    expect(firstLines(RECOVERED, Number.POSITIVE_INFINITY)).toEqual({ recovered: RECOVERED });
  });

  test.each([
    ['inside a range', 8, 'three\n', [{ startLine: 3, endLine: 3 }], 4],
    ['between two ranges', 13, 'three\nfour\n', [{ startLine: 3, endLine: 4 }], 9],
    [
      'inside a later range',
      17,
      'three\nfour\nnine\n',
      [
        { startLine: 3, endLine: 4 },
        { startLine: 9, endLine: 9 },
      ],
      10,
    ],
  ])('that end %s say which are there and which comes next', (_, ...[bytes, text, ranges, next]) => {
    expect(firstLines(RECOVERED, bytes)).toEqual({
      recovered: { pruneId: 'prn_x', text, ranges, truncated: true },
      notice: `[cut at ${bytes} bytes; recover on with start_line=${next}]`,
    });
  });

  test('with markers between their ranges count those apart', () => {
    const marked = { ...RECOVERED, text: 'three\nfour\n⟦pruned 5-8 (4 lines)⟧\nnine\nten\n', marked: true };
    const { recovered, notice } = firstLines(marked, Buffer.byteLength(marked.text) - 1);
    expect(recovered.ranges).toEqual([
      { startLine: 3, endLine: 4 },
      { startLine: 9, endLine: 9 },
    ]);
    expect(notice).toMatch(/start_line=10\]$/);
    expect(firstLines(marked, Buffer.byteLength(marked.text) - 5).recovered.ranges).toEqual(RECOVERED.ranges.slice(0, 1));
  });

  test('whose first is too long are left out, and that one is to be asked for alone', () => {
    expect(firstLines(RECOVERED, 3)).toEqual({
      recovered: { pruneId: 'prn_x', text: '', ranges: [], truncated: true },
      notice: '[line 3 is longer than 3 bytes; recover it alone with start_line=3 end_line=3, then the lines after it]',
    });
  });

  test.each(['', '\n'])('of one line alone are begun, and no line counts as given (%j)', (end) => {
    const long = { pruneId: 'prn_x', text: `${'x'.repeat(50)}${end}`, ranges: [{ startLine: 7, endLine: 7 }] };
    expect(firstLines(long, 10)).toEqual({
      recovered: { pruneId: 'prn_x', text: 'x'.repeat(10), ranges: [], truncated: true },
      notice: '[cut at 10 bytes inside line 7; a reply holds no more of it]',
    });
  });
});
