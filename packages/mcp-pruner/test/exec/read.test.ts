import { truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReadOptions, type ReadText, readText } from '../../src/exec/read.ts';
import { temporaryDirectory } from './world.ts';

const file = join(temporaryDirectory(), 'file');
const CHUNK = 256 * 1024;

function bytesOf(piece: string): Buffer {
  return /^[\da-f]{2,}$/.test(piece) ? Buffer.from(piece, 'hex') : Buffer.from(piece);
}

async function read(options: Partial<ReadOptions> = {}): Promise<ReadText> {
  const handle = await open(file, 'r');
  try {
    return await readText(handle, { maxBytes: 1 << 20, ...options });
  } finally {
    await handle.close();
  }
}

describe('a window of lines', () => {
  it.each([
    ['everything', 'a\nb\nc\n', {}, { text: 'a\nb\nc\n', firstLine: 1, lastLine: 3, totalLines: 3 }],
    ['a file without a final line feed', 'a\nb', {}, { text: 'a\nb', firstLine: 1, lastLine: 2, totalLines: 2 }],
    ['an empty file', '', {}, { text: '', firstLine: 1, lastLine: 0, totalLines: 0 }],
    ['one line feed', '\n', {}, { text: '\n', firstLine: 1, lastLine: 1, totalLines: 1 }],
    ['from a line on', 'a\nb\nc', { startLine: 2 }, { text: 'b\nc', firstLine: 2, lastLine: 3, totalLines: 3 }],
    ['up to a line', 'a\nb\nc', { endLine: 2 }, { text: 'a\nb\n', firstLine: 1, lastLine: 2 }],
    ['one line', 'a\nb\nc', { startLine: 2, endLine: 2 }, { text: 'b\n', firstLine: 2, lastLine: 2 }],
    ['an end behind the end', 'a\nb', { endLine: 9 }, { text: 'a\nb', firstLine: 1, lastLine: 2, totalLines: 2 }],
    ['a start behind the end', 'a\nb\n', { startLine: 9 }, { text: '', firstLine: 9, lastLine: 8, totalLines: 2 }],
    [
      'a start right behind the end',
      'a\nb\n',
      { startLine: 3 },
      { text: '', firstLine: 3, lastLine: 2, totalLines: 2 },
    ],
    [
      'carriage returns',
      'a\r\nb\rc\r\n',
      { startLine: 2 },
      { text: 'b\rc\r\n', firstLine: 2, lastLine: 2, totalLines: 2 },
    ],
    ['a byte order mark', '\uFEFFa\n', {}, { text: '\uFEFFa\n', firstLine: 1, lastLine: 1, totalLines: 1 }],
  ])('gives %s', async (_, content, options, expected) => {
    writeFileSync(file, content);
    const bytes = Buffer.byteLength(expected.text);
    expect(await read(options)).toEqual({ ...expected, bytes, truncated: false });
  });

  it('equals the lines of the text wherever they lie among the chunks', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `${index} ${'é€😀'.repeat((index * 37) % 500)}\n`);
    expect(Buffer.byteLength(lines.join(''))).toBeGreaterThan(3 * CHUNK);
    writeFileSync(file, lines.join(''));
    for (const [startLine, endLine] of [
      [1, 400],
      [2, 399],
      [150, 150],
      [170, 260],
      [399, 500],
    ] as const) {
      const wanted = lines.slice(startLine - 1, endLine).join('');
      expect((await read({ startLine, endLine, maxBytes: 1 << 23 })).text, `${startLine}-${endLine}`).toBe(wanted);
    }
  });
});

describe('the cap', () => {
  it.each([
    ['an exact fit', 'abcd', 4, { text: 'abcd', truncated: false }],
    ['one byte more', 'abcde', 4, { text: 'abcd', truncated: true }],
    ['a character in the way', 'abcé', 4, { text: 'abc', truncated: true }],
    [
      'bytes that are no UTF-8, three times as large after decoding',
      Buffer.from([0x61, 0xff, 0xfe, 0x62]),
      6,
      { text: 'a\uFFFD', truncated: true },
    ],
    [
      'a character cut off by the end of the file',
      Buffer.from([0x61, 0xf0, 0x9f]),
      4,
      { text: 'a\uFFFD', truncated: false },
    ],
    ['the same without room for its replacement', Buffer.from([0x61, 0xf0, 0x9f]), 3, { text: 'a', truncated: true }],
  ])('holds for %s', async (_, content, maxBytes, expected) => {
    writeFileSync(file, content);
    expect(await read({ maxBytes })).toMatchObject({ ...expected, bytes: Buffer.byteLength(expected.text) });
  });

  it('names the last line it shows a part of, and no total it has not seen', async () => {
    writeFileSync(file, 'one\ntwo\nthree\n');
    expect(await read({ maxBytes: 9 })).toEqual({
      text: 'one\ntwo\nt',
      bytes: 9,
      truncated: true,
      firstLine: 1,
      lastLine: 3,
    });
  });

  it('holds exactly at the boundary of a chunk', async () => {
    writeFileSync(file, 'x'.repeat(CHUNK));
    expect(await read({ maxBytes: CHUNK })).toMatchObject({ bytes: CHUNK, truncated: false, totalLines: 1 });
    writeFileSync(file, 'x'.repeat(CHUNK + 1));
    expect(await read({ maxBytes: CHUNK })).toMatchObject({ bytes: CHUNK, truncated: true });
  });
});

describe('decoding', () => {
  it('gives what a decoder gives for the whole file, whatever the chunks split', async () => {
    const pieces = fc.constantFrom(
      'a',
      '\n',
      'é',
      '€',
      '😀',
      '\uFEFF',
      'ff',
      'c3',
      'e282',
      'f09f98',
      'eda080',
      'f4908080',
      'c080',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 12 }), fc.nat(8), async (around, back) => {
        const bytes = Buffer.concat([Buffer.alloc(CHUNK - back, 'x'), ...around.map(bytesOf)]);
        writeFileSync(file, bytes);
        const expected = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
        expect((await read()).text).toBe(expected);
      }),
      { numRuns: 200 },
    );
  });
});

describe('huge files', () => {
  it('takes the beginning of 10 GB without holding or reading the rest', async () => {
    writeFileSync(file, 'begin\n');
    truncateSync(file, 10 * 1024 ** 3);
    const before = process.memoryUsage.rss();
    const begun = performance.now();
    expect(await read()).toMatchObject({ bytes: 1 << 20, truncated: true, lastLine: 2 });
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 ** 2);
  });

  it('holds nothing while it looks for a far line', async () => {
    writeFileSync(file, '');
    truncateSync(file, 128 * 1024 ** 2);
    writeFileSync(file, '\nlast', { flag: 'a' });
    const before = process.memoryUsage.rss();
    expect(await read({ startLine: 2 })).toMatchObject({ text: 'last', totalLines: 2 });
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 ** 2);
  });

  it('stops looking when it is aborted', async () => {
    writeFileSync(file, '');
    truncateSync(file, 10 * 1024 ** 3);
    const begun = performance.now();
    await expect(read({ startLine: 2, signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});
