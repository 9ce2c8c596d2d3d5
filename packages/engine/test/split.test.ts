import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { split } from '../src/split.ts';

describe('split', () => {
  it.each([
    ['nothing', '', [], []],
    ['one line', 'a', ['a'], ['']],
    ['a final newline ends its line and opens none', 'a\n', ['a'], ['\n']],
    ['an empty line', '\n', [''], ['\n']],
    ['CRLF belongs to the ending', 'a\r\nb\r\n', ['a', 'b'], ['\r\n', '\r\n']],
    ['a lone CR is text', 'a\rb\n', ['a\rb'], ['\n']],
    ['only the last CR before LF is an ending', 'a\r\r\n', ['a\r'], ['\r\n']],
    ['form feed, vertical tab, NEL and U+2028 end nothing', 'a\fb\vc\u0085d\u2028e', ['a\fb\vc\u0085d\u2028e'], ['']],
    ['a byte order mark is text', '\uFEFFa\nb', ['\uFEFFa', 'b'], ['\n', '']],
  ])('%s', (_title, text, contents, endings) => {
    const lines = split(text);
    expect(Array.from({ length: lines.length }, (_, at) => lines.at(at))).toEqual(contents);
    expect(Array.from({ length: lines.length }, (_, at) => lines.ending(at))).toEqual(endings);
  });

  it('gives every byte of the text back, whatever the text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\r', '\f', '\u2028', '\uFEFF', '\ud800', 'é') });
    fc.assert(
      fc.property(text, (raw) => {
        const lines = split(raw);
        const rebuilt = Array.from({ length: lines.length }, (_, at) => lines.at(at) + lines.ending(at)).join('');
        expect(rebuilt).toBe(raw);
        expect(lines.rawRange(0, lines.length)).toBe(raw);
      }),
      { numRuns: 500 },
    );
  });

  it('takes ten megabytes on one line as one line', () => {
    const text = 'x'.repeat(10_000_000);
    expect(split(text).length).toBe(1);
    expect(split(text).at(0)).toBe(text);
  });
});
