import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFrameReader, type Frame } from '../../src/host/framing.ts';

function frames(chunks: readonly Uint8Array[], maxBytes?: number): Frame[] {
  const reader = createFrameReader(maxBytes);
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
}

function texts(...chunks: string[]): (string | undefined)[] {
  return frames(chunks.map((chunk) => Buffer.from(chunk))).map((frame) =>
    frame.kind === 'text' ? frame.text : undefined,
  );
}

describe('lines', () => {
  test.each([
    ['one line', ['{}\n'], ['{}']],
    ['several in one chunk', ['1\n2\n3\n'], ['1', '2', '3']],
    ['one over several chunks', ['{"a"', ':', '1}\n'], ['{"a":1}']],
    ['a carriage return before the newline', ['{}\r\n[]\r\n'], ['{}', '[]']],
    ['a newline that comes alone', ['{}\r', '\n'], ['{}']],
    ['empty lines', ['\n\r\n\n{}\n\n'], ['{}']],
    ['a last line without a newline', ['{}\n[]'], ['{}', '[]']],
    ['no line at all', [''], []],
    ['separators that only look like line ends', ['"\u2028\u0085\f"\n'], ['"\u2028\u0085\f"']],
  ])('%s', (_, chunks, expected) => {
    expect(texts(...chunks)).toEqual(expected);
  });

  test('are the same however the bytes are chunked, split characters included', () => {
    const characters = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll(/[\r\n]/g, ''));
    const lines = fc.array(characters, { maxLength: 20 });
    fc.assert(
      fc.property(lines, fc.array(fc.nat(40), { maxLength: 60 }), (wanted, cuts) => {
        const bytes = Buffer.from(wanted.map((text) => `${text}\n`).join(''));
        const chunks: Uint8Array[] = [];
        let start = 0;
        for (const cut of cuts) chunks.push(bytes.subarray(start, (start += cut)));
        chunks.push(bytes.subarray(start));
        const found = frames(chunks).map((frame) => (frame.kind === 'text' ? frame.text : frame.kind));
        expect(found).toEqual(wanted.filter((text) => text !== ''));
      }),
      { numRuns: 300 },
    );
  });

  test('that are not UTF-8 are told apart and spoil no other', () => {
    const broken = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}\n{}\n')]);
    expect(frames([broken])).toEqual([{ kind: 'not_utf8' }, { kind: 'text', text: '{}' }]);
    expect(frames([Buffer.from([0xe2, 0x82])])).toEqual([{ kind: 'not_utf8' }]);
  });
});

describe('a line past the limit', () => {
  test.each([
    ['as long as the limit is taken', ['x'.repeat(8), '\n'], ['text']],
    ['one byte more is refused once', ['x'.repeat(9), '\n1\n'], ['too_large', 'text']],
    [
      'is skipped to its newline over many chunks',
      ['x'.repeat(9), 'yyyyyyyyyyyy', 'z', '\n1\n'],
      ['too_large', 'text'],
    ],
    ['is refused when it comes as a whole', [`${'x'.repeat(20)}\n1\n`], ['too_large', 'text']],
    ['is refused when the input ends in it', ['x'.repeat(20)], ['too_large']],
    ['is refused each time', [`${'x'.repeat(20)}\n${'y'.repeat(20)}\n`], ['too_large', 'too_large']],
  ])('%s', (_, chunks, kinds) => {
    const found = frames(
      chunks.map((chunk) => Buffer.from(chunk)),
      8,
    );
    expect(found.map(({ kind }) => kind)).toEqual(kinds);
  });

  test('is not kept in memory while it is skipped', () => {
    const reader = createFrameReader();
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const before = process.memoryUsage().arrayBuffers;
    const kinds = Array.from({ length: 200 }, () => reader.push(chunk)).flat();
    expect(kinds).toEqual([{ kind: 'too_large' }]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 1024 * 1024);
    expect(reader.push(Buffer.from('\n{}\n'))).toEqual([{ kind: 'text', text: '{}' }]);
  });

  test('costs time linear in its length when it comes byte by byte', () => {
    timeByteByByte(100_000);
    // Quadratic time would be a hundred times as much.
    expect(timeByteByByte(2_000_000)).toBeLessThan(40 * Math.max(5, timeByteByByte(200_000)));
  });
});

function timeByteByByte(bytes: number): number {
  const reader = createFrameReader();
  const one = Buffer.from('x');
  const started = performance.now();
  for (let at = 0; at < bytes; at += 1) reader.push(one);
  expect(reader.push(Buffer.from('\n'))).toHaveLength(1);
  return performance.now() - started;
}
