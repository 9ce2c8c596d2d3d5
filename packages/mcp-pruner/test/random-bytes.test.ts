import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { pooledRandomBytes } from '../src/random-bytes.ts';

test('every byte of the source is given out once, in its order, and few calls bring many', () => {
  const drawn: Buffer[] = [];
  const pooled = pooledRandomBytes((count) => {
    const bytes = randomBytes(count);
    drawn.push(Buffer.from(bytes));
    return bytes;
  });
  const given = Array.from({ length: 1000 }, (_, at) => pooled(12 + (at % 5)));
  expect(given.every((bytes, at) => bytes.length === 12 + (at % 5))).toBe(true);
  expect(drawn.length).toBeLessThan(4);
  // A pool that has too little left is not used up, so each is a beginning of what was drawn.
  let pool = 0;
  let at = 0;
  for (const bytes of given) {
    if (at + bytes.length > (drawn[pool]?.length ?? 0)) {
      pool += 1;
      at = 0;
    }
    expect(Buffer.from(bytes).equals(drawn[pool]?.subarray(at, at + bytes.length) ?? Buffer.of())).toBe(true);
    at += bytes.length;
  }
  expect(new Set(given.map((bytes) => Buffer.from(bytes).toString('hex'))).size).toBe(1000);
});

test('more than a pool comes straight from the source', () => {
  const asked: number[] = [];
  const pooled = pooledRandomBytes((count) => {
    asked.push(count);
    return new Uint8Array(count);
  });
  expect(pooled(100_000)).toHaveLength(100_000);
  expect(asked).toEqual([100_000]);
});
