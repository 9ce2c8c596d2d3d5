import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, itemAt } from '../../src/analysis/columns.ts';
import type { Item } from '../../src/analysis/item.ts';
import { decodeDigest } from '../../src/digest/decode.ts';
import { encodeDigest } from '../../src/digest/encode.ts';
import { hashOf } from '../../src/hash.ts';
import { item, NOW } from '../analysis/items.ts';

const name = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud800', 'é', '\0', 'src/a.ts'));
const time = fc.oneof(fc.integer({ min: NOW - 10 ** 12, max: NOW }), fc.constantFrom(0, -5, NOW + 0.5, NOW));
const anyItem: fc.Arbitrary<Item> = fc.record({
  id: name,
  type: fc.constantFrom('message', 'code', 'log', 'note', 'decision', 'summary'),
  task: fc.option(name, { nil: undefined }),
  assigned: fc.boolean(),
  held: fc.boolean(),
  createdAt: time,
  touchedAt: time,
  enteredAt: time,
  pinned: fc.boolean(),
  survivals: fc.constantFrom(0, 1, 300, 70_000),
  file: fc.option(name, { nil: undefined }),
  topic: fc.option(name, { nil: undefined }),
  references: fc.array(name, { maxLength: 3 }),
  tokens: fc.constantFrom(0, 7, 300, 70_000, 2 ** 40),
  textHash: name.map((text) => hashOf(text)),
  textComplete: fc.boolean(),
  subject: fc.option(fc.record({ key: name, lines: fc.option(fc.tuple(fc.nat(), fc.nat()), { nil: undefined }) }), {
    nil: undefined,
  }),
  failed: fc.boolean(),
});
const anyItems = fc.uniqueArray(anyItem, { selector: ({ id }) => id, maxLength: 30 });

function inOrder(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => a.enteredAt - b.enteredAt);
}

describe('columns', () => {
  it('give back every item, in order of entering', () => {
    fc.assert(
      fc.property(anyItems, (items) => {
        const columns = columnsOf(items);
        expect(Array.from({ length: columns.length }, (_, at) => itemAt(columns, at))).toEqual(inOrder(items));
      }),
    );
  });
});

describe('a digest', () => {
  it('stores of times only those that differ from the creation, where few do', () => {
    const made = Array.from({ length: 400 }, (_, at) => item(`s${at}`, { hours: 400 - at }));
    const touched = made.map((one, at) => (at % 100 === 7 ? { ...one, touchedAt: NOW } : one));
    const bytes = encodeDigest(columnsOf(touched), 0);
    const { columns } = decodeDigest(bytes) ?? {};
    const times = touched.map((_, at) => columns && itemAt(columns, at).touchedAt);
    expect(times).toEqual(touched.map(({ touchedAt }) => touchedAt));
    const columnBytes = 2 * touched.length;
    expect(bytes.length - encodeDigest(columnsOf(made), 0).length).toBeLessThan(columnBytes);
  });

  it('gives back every item, whatever it is called and whenever it was made', () => {
    fc.assert(
      fc.property(anyItems, fc.nat(), (items, collections) => {
        const decoded = decodeDigest(encodeDigest(columnsOf(items), collections));
        expect(decoded?.collections).toBe(collections);
        expect(items.map((_, at) => decoded && itemAt(decoded.columns, at))).toEqual(inOrder(items));
      }),
    );
  });

  const bytes = encodeDigest(
    columnsOf(Array.from({ length: 40 }, (_, at) => item(`s${at}`, { topic: `t${at % 3}` }))),
    2,
  );

  it('with any byte changed, or any of them missing, is no digest', () => {
    expect(decodeDigest(bytes)?.columns.length).toBe(40);
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Uint8Array.from(bytes, (byte, place) => (place === at ? byte ^ 1 : byte));
      expect(decodeDigest(changed)).toBeUndefined();
    }
    for (const length of [0, 3, 39, 40, bytes.length - 1]) expect(decodeDigest(bytes.slice(0, length))).toBeUndefined();
  });

  it('is read wherever it begins in memory', () => {
    const elsewhere = new Uint8Array(bytes.length + 3);
    elsewhere.set(bytes, 3);
    expect(decodeDigest(elsewhere.subarray(3))?.columns.length).toBe(40);
  });

  it('of a large project takes some fifty bytes a segment', () => {
    const items = Array.from({ length: 20_000 }, (_, at) => item(`segment-${at}`, { textHash: hashOf(`${at}`) }));
    expect(encodeDigest(columnsOf(items), 0).length).toBeLessThan(50 * items.length);
  });
});
