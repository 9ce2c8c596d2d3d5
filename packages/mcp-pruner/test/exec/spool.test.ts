import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSpool, type Spooled, type SpoolLimits } from '../../src/exec/spool.ts';

function spooled(chunks: readonly string[], limits: SpoolLimits): Spooled {
  const spool = createSpool(limits);
  for (const chunk of chunks) spool.push(Buffer.from(chunk));
  return spool.finish();
}

const LIMITS: readonly SpoolLimits[] = [
  { head: 40, tail: 30, memory: 10 },
  { head: 40, tail: 30, memory: 55 },
  { head: 40, tail: 30, memory: 200 },
];

describe('a spool', () => {
  test.each(LIMITS)('gives a stream that fits back byte for byte, with %j', (limits) => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 9 }), { maxLength: 8 }), (chunks) => {
        const whole = chunks.join('');
        fc.pre(Buffer.byteLength(whole) <= 70);
        expect(spooled(chunks, limits)).toEqual({ bytes: Buffer.from(whole), dropped: 0 });
      }),
    );
  });

  test.each(LIMITS)('keeps both ends of a longer one, and one line says what is missing, with %j', (limits) => {
    const line = fc.integer({ min: 0, max: 12 }).map((length) => `${'x'.repeat(length)}\n`);
    fc.assert(
      fc.property(fc.array(line, { minLength: 40, maxLength: 60 }), (lines) => {
        const whole = lines.join('');
        fc.pre(whole.length > 70);
        const { bytes, dropped } = spooled(lines, limits);
        const [, head = '', count, missing, tail = ''] =
          /^([^]*)\[(\d+) bytes \((\d+) lines\) were not kept here\]\n([^]*)$/.exec(bytes.toString()) ?? [];
        expect(whole.startsWith(head)).toBe(true);
        expect(whole.endsWith(tail)).toBe(true);
        expect(Number(count)).toBe(dropped);
        expect(head.length + tail.length + dropped).toBe(whole.length);
        const linesOf = (text: string): number => text.split('\n').length - 1;
        expect(linesOf(head) + linesOf(tail) + Number(missing)).toBe(lines.length);
      }),
    );
  });

  test('tears no character apart where there is no line to cut at', () => {
    const { bytes } = spooled(['€'.repeat(100)], { head: 40, tail: 31, memory: 10 });
    expect(bytes.toString()).toBe(`${'€'.repeat(13)}\n[231 bytes (0 lines) were not kept here]\n${'€'.repeat(10)}`);
  });

  test('holds 200 MiB in 64 MiB', () => {
    const spool = createSpool();
    const chunk = Buffer.alloc(65_536, 'abcdefg\n');
    for (let sent = 0; sent < 3200; sent += 1) spool.push(chunk);
    spool.push(Buffer.from('the end\n'));
    const { bytes, dropped } = spool.finish();
    expect(bytes.length).toBeLessThan(65 * 1024 * 1024);
    expect(dropped).toBeGreaterThan(130 * 1024 * 1024);
    expect(bytes.subarray(-16).toString()).toBe('abcdefg\nthe end\n');
  });
});
