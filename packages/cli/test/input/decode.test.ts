import { isUtf8 } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { decode } from '../../src/input/decode.ts';
import { firstInvalidByte } from '../../src/input/utf8.ts';

const bytes = (...parts: readonly (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));

describe('bytes', () => {
  test.each(['', 'a\r\nb', '\uFEFFmarked', 'é ⟦ 🧵', '\u2028\f\u0085', `${'x'.repeat(9000)}\0`])(
    'of a text come back as the same bytes: %j',
    (text) => {
      const decoded = decode(Buffer.from(text));
      expect(decoded).toEqual({ text });
    },
  );

  test.each([
    ['a stray continuation', bytes('ab', 0x80), 2],
    ['a lead byte without its second', bytes('é', 0xc3), 2],
    ['a lead byte before another character', bytes(0xc3, 'a'), 0],
    ['an overlong slash', bytes('x', 0xc0, 0xaf), 1],
    ['an overlong three-byte form', bytes(0xe0, 0x80, 0x80), 0],
    ['an encoded surrogate', bytes('⟦', 0xed, 0xa0, 0x80), 3],
    ['an overlong four-byte form', bytes(0xf0, 0x80, 0x80, 0x80), 0],
    ['a code point beyond Unicode', bytes(0xf4, 0x90, 0x80, 0x80), 0],
    ['a byte that never occurs', bytes('🧵', 0xff), 4],
    ['a cut character at the end', bytes('ok', 0xf0, 0x9f, 0xa7), 2],
    ['latin1', Buffer.from('caf\u00e9 au lait', 'latin1'), 3],
  ])('with %s are refused at their offset', (_, given, offset) => {
    expect(decode(given)).toEqual({ problem: 'not_utf8', offset });
  });

  test('with an early NUL are binary', () => {
    expect(decode(bytes('MZ', 0, 0xff))).toEqual({ problem: 'binary', offset: 2 });
  });

  test('agree with the runtime on what is well formed', () => {
    const disputed: string[] = [];
    for (let pair = 0; pair < 0x10000; pair += 1) {
      for (const tail of [[], [0x80], [0x80, 0xbf]]) {
        const sample = Buffer.from([pair >> 8, pair & 0xff, ...tail]);
        if ((firstInvalidByte(sample) === -1) !== isUtf8(sample)) disputed.push(sample.toString('hex'));
      }
    }
    expect(disputed).toEqual([]);
  });
});
