import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Window, windowOf } from '../../src/capture/window.ts';
import { split } from '../../src/split.ts';

function windowed(text: string, bytes: number, lines = 1000): Window {
  return windowOf(Buffer.from(text), { bytes, lines });
}

describe('a window of a text', () => {
  it.each([
    ['a text that fits', 'a\nb\n', 4, 9, { head: 'a\nb\n', tail: '', headLines: 2, skippedLines: 0 }],
    ['an open last line', 'a\nb', 4, 9, { head: 'a\nb', tail: '', headLines: 2, skippedLines: 0 }],
    ['nothing', '', 0, 0, { head: '', tail: '', headLines: 0, skippedLines: 0 }],
    ['both ends', 'aa\nbb\ncc\ndd\n', 8, 9, { head: 'aa\n', tail: 'dd\n', headLines: 1, skippedLines: 2 }],
    ['an open end', 'aa\nbb\ncc\ndd', 8, 9, { head: 'aa\n', tail: 'dd', headLines: 1, skippedLines: 2 }],
    ['exactly full halves', 'aaa\nbb\nccc\n', 8, 9, { head: 'aaa\n', tail: 'ccc\n', headLines: 1, skippedLines: 1 }],
    ['a first line that is too long', 'aaaaaaaa\nb\n', 6, 9, { head: '', tail: 'b\n', headLines: 0, skippedLines: 1 }],
    ['a last line that is too long', 'b\naaaaaaaa', 6, 9, { head: 'b\n', tail: '', headLines: 1, skippedLines: 1 }],
    ['one line that is too long', 'aaaaaaaaaa', 6, 9, { head: '', tail: '', headLines: 0, skippedLines: 1 }],
    ['too many lines', 'a\nb\nc\nd\ne\n', 99, 2, { head: 'a\n', tail: 'e\n', headLines: 1, skippedLines: 3 }],
    ['too many lines, the last open', 'a\nb\nc\nd', 99, 2, { head: 'a\n', tail: 'd', headLines: 1, skippedLines: 2 }],
  ])('is %s', (_, text, bytes, lines, expected) => {
    expect(windowed(text, bytes, lines)).toEqual(expected);
  });

  it('holds whole lines at both ends, within its limits, and counts the rest', () => {
    const text = fc.array(fc.constantFrom('', 'a', 'é文', 'long '.repeat(5)), { maxLength: 30 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 120 }), fc.integer({ min: 2, max: 20 }), (raw, bytes, most) => {
        const { head, tail, headLines, skippedLines } = windowed(raw, bytes, most);
        expect(raw.startsWith(head)).toBe(true);
        expect(raw.endsWith(tail)).toBe(true);
        expect(split(head).length).toBe(headLines);
        expect(headLines + skippedLines + split(tail).length).toBe(split(raw).length);
        if (skippedLines === 0) expect(head + tail).toBe(raw);
        else expect(Buffer.byteLength(head + tail)).toBeLessThanOrEqual(bytes);
        if (skippedLines === 0) return;
        expect(headLines + split(tail).length).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('keeps a byte order mark', () => {
    expect(windowed('\ufeffa\n', 99).head).toBe('\ufeffa\n');
  });
});
