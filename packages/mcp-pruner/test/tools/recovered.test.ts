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
    ['inside the first line', 3, 'thr', [{ startLine: 3, endLine: 3 }], 4],
  ])('that end %s say which are there and which comes next', (_, ...[bytes, text, ranges, next]) => {
    expect(firstLines(RECOVERED, bytes)).toEqual({ recovered: { pruneId: 'prn_x', text, ranges }, next });
  });

  test('of one line that is too long say nothing of a next one', () => {
    const long = { pruneId: 'prn_x', text: 'x'.repeat(50), ranges: [{ startLine: 7, endLine: 7 }] };
    expect(firstLines(long, 10)).toEqual({ recovered: { ...long, text: 'x'.repeat(10) } });
  });
});
