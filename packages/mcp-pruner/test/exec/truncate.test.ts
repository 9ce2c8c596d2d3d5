import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capUtf8 } from '../../src/exec/truncate.ts';

describe('capping a text', () => {
  it.each([
    ['a text that fits', 'abc', 3, { text: 'abc', truncated: false }],
    ['an empty text', '', 0, { text: '', truncated: false }],
    ['no room at all', 'abc', 0, { text: '', truncated: true }],
    ['a negative cap', 'abc', -5, { text: '', truncated: true }],
    ['plain letters', 'abcdef', 4, { text: 'abcd', truncated: true }],
    ['a character of two bytes that does not fit', 'aé', 2, { text: 'a', truncated: true }],
    ['a character of two bytes that does', 'aé', 3, { text: 'aé', truncated: false }],
    ['a character of three bytes', '€€', 5, { text: '€', truncated: true }],
    ['a surrogate pair that misses one byte', '😀', 3, { text: '', truncated: true }],
    ['a surrogate pair in the last place', 'ab😀c', 6, { text: 'ab😀', truncated: true }],
    ['a lone surrogate, which is written as U+FFFD', 'a\uD800b', 4, { text: 'a\uD800', truncated: true }],
    ['a byte order mark', '\uFEFFab', 4, { text: '\uFEFFa', truncated: true }],
  ])('handles %s', (_, text, maxBytes, expected) => {
    expect(capUtf8(text, maxBytes)).toEqual(expected);
  });

  it('keeps the longest prefix of whole characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(60), (text, maxBytes) => {
        let expected = '';
        for (const character of text) {
          if (Buffer.byteLength(expected + character) > maxBytes) break;
          expected += character;
        }
        expect(capUtf8(text, maxBytes)).toEqual({ text: expected, truncated: expected !== text });
      }),
    );
  });

  it('takes ten million characters in its stride', () => {
    const begun = performance.now();
    expect(Buffer.byteLength(capUtf8('é'.repeat(10_000_000), 10_485_761).text)).toBe(10_485_760);
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});
