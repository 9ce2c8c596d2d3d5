import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { align } from '../../src/backends/align.ts';
import { split } from '../../src/split.ts';

/** The numbers (from 1) of the lines found kept, or undefined when the text could not be aligned. */
function kept(sent: string, returned: string, keptFrags?: readonly number[]): number[] | undefined {
  const found = align(split(sent), returned, keptFrags);
  if (!found.aligned) return undefined;
  return [...found.kept].flatMap((flag, index) => (flag === 1 ? [index + 1] : []));
}

/**
 * A text pruned the way the service does it: blank lines are dropped and counted, a removed run of at most 18 characters
 * is put back, any other run becomes one filler line, and so does the run at the end.
 */
function renderAsService(lines: readonly string[], keep: ReadonlySet<number>): { text: string; shown: number[] } {
  const out: string[] = [];
  const shown: number[] = [];
  let run: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || !keep.has(index + 1)) {
      run.push(index);
      continue;
    }
    const chars = run.reduce((sum, at) => sum + ((lines[at] ?? '').trim() === '' ? 0 : (lines[at] ?? '').length), 0);
    const back = chars > 18 ? [] : run;
    if (run.length > back.length) out.push(`(filtered ${run.length} lines)`);
    for (const at of [...back, index]) {
      out.push(lines[at] ?? '');
      shown.push(at + 1);
    }
    run = [];
  }
  if (run.length > 0) out.push(`(filtered ${run.length} lines)`);
  return { text: out.join('\n'), shown };
}

describe('align', () => {
  it.each([
    ['a full text', 'a\nb\nc\n', 'a\nb\nc\n', [1, 2, 3]],
    ['a missing final newline', 'a\nb\nc\n', 'a\nb\nc', [1, 2, 3]],
    ['lines left out without a trace', 'a\nb\nc\nd\n', 'b\nd', [2, 4]],
    ['a filler between lines', 'a\nb\nc\nd\n', 'a\n(filtered 2 lines)\nd', [1, 4]],
    ['a filler at the start', 'a\nb\nc\n', '(filtered 2 lines)\nc', [3]],
    ['a filler at the end', 'a\nb\nc\n', 'a\n(filtered 2 lines)', [1]],
    ['a filler for one line', 'a\nb\nc\n', 'a\n(filtered 1 line)\nc', [1, 3]],
    ['a filler with its range', 'a\nb\nc\nd\ne\n', 'a\n(filtered 4 lines: 2-5)', [1]],
    ['fillers only', 'a\nb\n', '(filtered 2 lines)', []],
    ['nothing', 'a\nb\n', '', []],
    ['extra blank lines at the end', 'a\nb\n', 'a\n\n\n', [1]],
  ])('finds the kept lines in %s', (_, sent, returned, expected) => {
    expect(kept(sent, returned)).toEqual(expected);
  });

  it.each([
    ['a line that was not sent', 'a\nb\n', 'a\nB'],
    ['a line changed by a space', 'a\n  b\n', 'a\nb'],
    ['another order', 'a\nb\n', 'b\na'],
    ['a line twice that was sent once', 'a\nb\n', 'a\na'],
    ['a summary', 'a\nb\n', 'two letters'],
  ])('does not align %s', (_, sent, returned) => {
    expect(kept(sent, returned)).toBeUndefined();
    expect(kept(sent, returned, [1, 2])).toBeUndefined();
  });
});

describe('repeated lines', () => {
  const sent = '{\n  a\n}\n{\n  b\n}\n{\n  c\n}\n';

  it('are told apart by the filler counts', () => {
    expect(kept(sent, '(filtered 6 lines)\n{\n  c\n}')).toEqual([7, 8, 9]);
    expect(kept(sent, '{\n(filtered 4 lines)\n}\n{\n(filtered 2 lines)')).toEqual([1, 6, 7]);
  });

  it('are told apart by the range of a filler, when its count agrees', () => {
    expect(kept(sent, '(filtered 3 lines: 1-3)\n{\n(filtered 5 lines: 5-9)')).toEqual([4]);
    expect(kept(sent, '(filtered 3 lines: 1-8)\n{')).toEqual([4]);
  });

  it('are told apart by kept_frags, with and without fillers', () => {
    expect(kept(sent, '{\n}', [4, 6])).toEqual([4, 6]);
    expect(kept(sent, '(filtered 9 lines)\n{\n(filtered 9 lines)\n}', [4, 6])).toEqual([4, 6]);
  });

  it('are not told apart by kept_frags that state a line the text lacks', () => {
    expect(kept(sent, '{', [4, 6])).toEqual([1]);
  });

  it('are the leftmost ones without any hint', () => {
    expect(kept(sent, '{\n}')).toEqual([1, 3]);
  });

  it('are the leftmost ones when the counts lead nowhere', () => {
    expect(kept(sent, '{\n(filtered 7 lines)\n  b\n}')).toEqual([1, 5, 6]);
  });
});

describe("the service's traps", () => {
  it('CRLF: the lines come back without their \\r', () => {
    expect(kept('a\r\nb\r\nc\r\n', 'a\n(filtered 1 lines)\nc')).toEqual([1, 3]);
    expect(kept('a\r\nb\r\nc\r\n', 'a\r\nc\r\n')).toEqual([1, 3]);
  });

  it.each(['\f', '\v', '\u2028', '\u2029', '\x1c', '\x85', '\r'])(
    'a line broken at %j is kept whole for any part',
    (mark) => {
      const sent = `one\ntwo${mark}three\nfour\nfive\n`;
      expect(kept(sent, 'three\nfour', [3, 4])).toEqual([2, 3]);
      expect(kept(sent, 'one\n(filtered 1 lines)\nthree\n(filtered 2 lines)')).toEqual([1, 2]);
      expect(kept(sent, `two${mark}three\nfive`)).toEqual([2, 4]);
    },
  );

  it('a blank end of a broken line does not keep the line', () => {
    expect(kept('one\nbody of two\f\nthree\n', 'one\n(filtered 2 lines)\nthree', [1, 4])).toEqual([1, 3]);
  });

  it('blank lines: dropped between kept neighbours they are kept, in a counted gap they are not', () => {
    expect(kept('a\n\n  \nb\n', 'a\nb')).toEqual([1, 2, 3, 4]);
    expect(kept('a\n\nb\n\nc\n', 'a\n(filtered 3 lines)\nc')).toEqual([1, 5]);
    expect(kept('a\nb\n\n', 'a\nb')).toEqual([1, 2, 3]);
    expect(kept('a\n   \nb\n', 'a\n\nb')).toEqual([1, 2, 3]);
  });

  it('blank lines: kept_frags may name ones that the text lacks, and lack ones that it has', () => {
    expect(kept('a\n  \nb\nc\n', 'a\nb\n(filtered 1 lines)', [1, 2, 3])).toEqual([1, 2, 3]);
    expect(kept('a\n\nb\n', 'a\n\nb', [1, 3])).toEqual([1, 2, 3]);
  });

  it('put-back lines: the text shows lines that kept_frags lacks', () => {
    expect(kept('a\nx\ny\nb\nlong line number one\n', 'a\nx\ny\nb\n(filtered 1 lines)', [1, 4])).toEqual([1, 2, 3, 4]);
  });

  it('put-back lines: one that reads like a stated line is not taken for it', () => {
    const sent = 'a\nx\nx\nlong line number one\nb\n';
    expect(kept(sent, 'a\nx\nx\n(filtered 1 lines)\nb', [1, 3, 5])).toEqual([1, 2, 3, 5]);
  });

  it.each([
    ['counted from 0', [0, 2]],
    ['beyond the end', [1, 9]],
    ['out of order', [3, 1]],
    ['twice the same', [1, 1, 3]],
    ['not whole', [1, 2.5]],
    ['of other lines than the text shows', [1, 2]],
    ['of fewer lines than the text shows', [1]],
  ])('kept_frags %s are set aside and the text decides', (_, frags) => {
    expect(kept('a\nb\nc\n', 'a\nc', frags)).toEqual([1, 3]);
  });

  it('a line of the text that looks like a filler is that line where it is due', () => {
    const sent = 'a\n(filtered 3 lines)\nb\nc\n';
    expect(kept(sent, 'a\n(filtered 3 lines)\n(filtered 1 lines)\nc')).toEqual([1, 2, 4]);
    expect(kept(sent, 'a\n(filtered 3 lines)\nc', [1, 2, 4])).toEqual([1, 2, 4]);
    expect(kept(sent, '(filtered 2 lines)\nb', [3])).toEqual([3]);
  });
});

describe('any text the service can make', () => {
  const line = fc.oneof(
    fc.constantFrom('', '  ', '}', '{', 'x', 'return', '    return value', 'a line longer than any filler'),
    fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[\s(]/g, '-')),
  );
  const pruned = fc.array(fc.record({ text: line, keep: fc.boolean() }), { minLength: 1, maxLength: 60 });

  it.each([
    ['with kept_frags', true],
    ['without kept_frags', false],
  ])('%s aligns to exactly the lines it shows', (_, withFrags) => {
    fc.assert(
      fc.property(pruned, (lines) => {
        const texts = lines.map(({ text }) => text);
        const frags = lines.flatMap(({ keep }, index) => (keep ? [index + 1] : []));
        const { text, shown } = renderAsService(texts, new Set(frags));
        const solid = (numbers: readonly number[] | undefined) => numbers?.filter((at) => texts[at - 1]?.trim() !== '');
        expect(solid(kept(`${texts.join('\n')}\n`, text, withFrags ? frags : undefined))).toEqual(solid(shown));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a long text', () => {
  const N = 100_000;
  const same = 'x\n'.repeat(N);
  it.each([
    ['all alike, half returned', same, 'x\n'.repeat(N / 2), undefined],
    ['all alike, a filler before each', same, '(filtered 1 lines)\nx\n'.repeat(N / 2), undefined],
    ['all alike, fillers that mislead', same, '(filtered 3 lines)\nx\n'.repeat(N / 2), undefined],
    [
      'all alike, with kept_frags',
      same,
      'x\n'.repeat(N / 2),
      Array.from({ length: N / 2 }, (_, index) => 2 * index + 1),
    ],
    ['blank in the middle', `a\n${'\n'.repeat(N)}b\n`, 'a\n(filtered 1 lines)\nb', undefined],
    ['that cannot be aligned', same, `${'x\n'.repeat(N / 2)}y`, [1]],
    ['full of form feeds', 'x\fy\n'.repeat(N), 'y\n'.repeat(N / 2), undefined],
  ])('%s is aligned in linear time', (_, sent, returned, frags) => {
    const started = performance.now();
    align(split(sent), returned, frags);
    expect(performance.now() - started).toBeLessThan(1500);
  });
});
