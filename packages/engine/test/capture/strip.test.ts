import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable, stripControls } from '../../src/capture/strip.ts';

describe('stripping control codes', () => {
  it.each([
    ['colours', '\x1b[31mred\x1b[0m and \x1b[38;5;208morange\x1b[m\n', 'red and orange\n'],
    ['cursor movements', 'a\x1b[2A\x1b[1Gb\x1b[?25l\n', 'ab\n'],
    ['a title', '\x1b]0;make\x07done\n', 'done\n'],
    ['a link', '\x1b]8;;https://x.y\x1b\\here\x1b]8;;\x1b\\\n', 'here\n'],
    ['a character set', '\x1b(Btext\x1b=\n', 'text\n'],
    ['the eight-bit form', '\u009b1mbold\u009b0m\n', 'bold\n'],
    ['an unfinished code', 'a\x1b[31\nb\x1b', 'a\nb'],
    ['an unfinished title', '\x1b]0;no end\nnext\n', '\nnext\n'],
    ['a progress bar', '10 %\r20 %\r100 %\n', '100 %\n'],
    ['a progress bar that erases its line', 'fetching long-name\r\x1b[Kdone\r\n', 'done\r\n'],
    ['a drawing that leaves something standing', 'abcdef\rxy\n', 'abcdef\rxy\n'],
    ['Windows endings', 'a\r\nb\r\n', 'a\r\nb\r\n'],
    ['a return at the end', 'a\r', 'a\r'],
    ['plain text', 'const x = "[31m";\n', 'const x = "[31m";\n'],
  ])('%s', (_, text, shown) => {
    expect(stripControls(text)).toBe(shown);
  });

  it('neither adds nor removes a line, and is done after one pass', () => {
    const piece = fc.constantFrom('\x1b[1m', '\x1b]0;', '\x07', '\r', '\n', 'ab', '\x1b', '\u009b', 'm', '\x1b\\', 'x'.repeat(9));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const stripped = stripControls(text);
        expect(stripped.split('\n')).toHaveLength(text.split('\n').length);
        expect(stripped).not.toMatch(/[\x1b\x07]/);
      }),
    );
  });

  it('takes time in proportion to the text', () => {
    const long = `${'\x1b]0;'.repeat(100_000)}${'x'.repeat(2_000_000)}\r${'\x1b['.repeat(100_000)}`;
    const begun = performance.now();
    stripControls(long);
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  it('leaves nothing that a terminal would obey in what is printed', () => {
    expect(printable('a\tb\x08\x1b[2Jc\x00\u009b5n\rd\r\ne\x7f')).toBe('a\tbcd\r\ne');
  });
});
