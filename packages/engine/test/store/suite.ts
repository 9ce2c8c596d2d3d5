import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { ListingStore, StoreLimits } from '../../src/store/store.ts';
import { Model, type Step } from './model.ts';
import { DELICATE_IDS, DELICATE_TEXTS, entryOf } from './texts.ts';

export interface Harness {
  readonly name: string;
  /** A new, empty store. */
  open(options: { limits?: StoreLimits; now?: () => number }): Promise<ListingStore>;
  /** Removes whatever the opened stores left. */
  clean(): void;
  readonly modelRuns: number;
}

const LARGE = { ttlMs: 60_000, maxBytes: 64 * 1024 * 1024 };

/** What every recovery store does, whatever it keeps its texts in. */
export function describeStore(harness: Harness): void {
  const open = (limits: StoreLimits = LARGE, now: () => number = () => 1000): Promise<ListingStore> =>
    harness.open({ limits, now });

  describe(`a recovery store in ${harness.name}`, () => {
    afterEach(() => harness.clean());

    it('gives a text back with everything that was put', async () => {
      const store = await open();
      const entry = { pruneId: 'prn_1', text: 'a\nb\n', firstLine: 41, createdAt: 1_700_000_000_123 };
      await store.put(entry);
      expect(await store.get('prn_1')).toEqual(entry);
      expect(await store.get('prn_2')).toBeUndefined();
      await store.close();
    });

    it('takes a text as bytes, byte order mark and all', async () => {
      const store = await open();
      for (const text of ['\ufeffa\r\n文\n', '']) {
        await store.put({ ...entryOf('prn_bytes'), text: Buffer.from(text) });
        expect((await store.get('prn_bytes'))?.text).toBe(text);
      }
      await store.close();
    });

    it('names what it holds, the newest first, with size and goal', async () => {
      let now = 1000;
      const store = await open(LARGE, () => now);
      await store.put({ ...entryOf('prn_gone', 'x'), goal: 'late' }, 100);
      await store.put({ ...entryOf('prn_aa1', 'first'), goal: 'why? \0 \ud83d' });
      await store.put({ ...entryOf('prn_aa2', 'second'), createdAt: 7 });
      await store.put(entryOf('prn_ab3', 'third!!'));
      now = 1100;
      const [third, second, first] = [
        { pruneId: 'prn_ab3', bytes: 7, createdAt: 1_700_000_000_000 },
        { pruneId: 'prn_aa2', bytes: 6, createdAt: 7 },
        { pruneId: 'prn_aa1', bytes: 5, createdAt: 1_700_000_000_000, goal: 'why? \0 \ud83d' },
      ];
      expect(await store.recent({ limit: 10 })).toEqual([third, second, first]);
      expect(await store.recent({ limit: 1 })).toEqual([third]);
      expect(await store.recent({ limit: 10, prefix: 'prn_aa' })).toEqual([second, first]);
      expect(await store.recent({ limit: 10, prefix: 'prn_%' })).toEqual([]);
      expect((await store.get('prn_aa1'))?.goal).toBe('why? \0 \ud83d');
      await store.close();
    });

    it.each(Object.entries(DELICATE_TEXTS))('gives back exactly: %s', async (_, text) => {
      const store = await open();
      await store.put(entryOf('prn_x', text));
      expect((await store.get('prn_x'))?.text).toBe(text);
      await store.close();
    });

    it('gives any string back exactly', async () => {
      const store = await open();
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 0xffff })), async (codes) => {
          const text = String.fromCharCode(...codes);
          await store.put(entryOf('prn_any', text));
          expect((await store.get('prn_any'))?.text).toBe(text);
        }),
        { numRuns: harness.modelRuns },
      );
      await store.close();
    });

    it('gives 5 MB back exactly', async () => {
      const store = await open();
      const text = 'ligne é 文 0123456789\r\n'.repeat(210_000);
      await store.put(entryOf('prn_big', text));
      expect((await store.get('prn_big'))?.text === text).toBe(true);
      await store.close();
    });

    it('treats ids as data', async () => {
      const store = await open();
      for (const id of DELICATE_IDS) await store.put(entryOf(id, `text of ${JSON.stringify(id)}`));
      for (const id of DELICATE_IDS) {
        expect(await store.get(id)).toEqual(entryOf(id, `text of ${JSON.stringify(id)}`));
      }
      await store.close();
    });

    it('replaces the text of an id that is put again', async () => {
      const store = await open();
      await store.put(entryOf('a', 'first'));
      await store.put(entryOf('a', 'second'));
      expect((await store.get('a'))?.text).toBe('second');
      await store.close();
    });

    it('forgets a text by its own time to live where it was given one', async () => {
      let now = 1000;
      const store = await open({ ttlMs: 500, maxBytes: 100 }, () => now);
      await store.put(entryOf('short', 'text'), 100);
      await store.put(entryOf('long', 'text'), 900);
      now = 1100;
      expect(await store.get('short')).toBeUndefined();
      now = 1899;
      expect(await store.get('long')).toBeDefined();
      now = 1900;
      expect(await store.get('long')).toBeUndefined();
      await store.close();
    });

    it('forgets a text exactly when its time to live has passed', async () => {
      let now = 1000;
      const store = await open({ ttlMs: 500, maxBytes: 100 }, () => now);
      await store.put(entryOf('a', 'text'));
      now = 1499;
      expect((await store.get('a'))?.text).toBe('text');
      now = 1500;
      expect(await store.get('a')).toBeUndefined();
      await store.close();
    });

    it('drops the oldest puts first to stay within its bytes', async () => {
      const store = await open({ ttlMs: 60_000, maxBytes: 100 });
      for (const id of ['a', 'b', 'c']) await store.put(entryOf(id, id.repeat(40)));
      await store.put(entryOf('b', 'b'.repeat(20)));
      await store.put(entryOf('d', 'd'.repeat(50)));
      const left = await Promise.all(['a', 'b', 'c', 'd'].map(async (id) => (await store.get(id))?.text.length));
      expect(left).toEqual([undefined, 20, undefined, 50]);
      await store.close();
    });

    it('refuses a text that alone exceeds its bytes and drops nothing for it', async () => {
      const store = await open({ ttlMs: 60_000, maxBytes: 100 });
      await store.put(entryOf('a', 'a'.repeat(100)));
      for (const id of ['a', 'b']) {
        await expect(store.put(entryOf(id, 'b'.repeat(101)))).rejects.toMatchObject({ code: 'store_failed' });
      }
      expect((await store.get('a'))?.text).toBe('a'.repeat(100));
      await store.close();
    });

    it('bounds the number of texts as well, however small they are', async () => {
      const store = await open({ ttlMs: 60_000, maxBytes: 4096 });
      for (const id of ['n0', 'n1']) await store.put(entryOf(id, ''));
      await Promise.all(Array.from({ length: 1024 }, (_, index) => store.put(entryOf(`n${index + 2}`, ''))));
      const found = await Promise.all(
        ['n0', 'n1', 'n2', 'n1025'].map(async (id) => (await store.get(id)) !== undefined),
      );
      expect(found).toEqual([false, false, true, true]);
      await store.close();
    });

    it('answers many calls at once', async () => {
      const store = await open();
      const ids = Array.from({ length: 60 }, (_, index) => `at-once-${index}`);
      await Promise.all(ids.map((id) => store.put(entryOf(id))));
      expect(await Promise.all(ids.map((id) => store.get(id)))).toEqual(ids.map((id) => entryOf(id)));
      await store.close();
    });

    it('refuses work once it is closed, and closes twice without harm', async () => {
      const store = await open();
      const last = store.put(entryOf('a'));
      await store.close();
      await expect(last).resolves.toBeUndefined();
      await store.close();
      await expect(store.put(entryOf('a'))).rejects.toMatchObject({ code: 'store_failed' });
      await expect(store.get('a')).rejects.toMatchObject({ code: 'store_failed' });
    });

    it('obeys the model of puts, gets, expiry and eviction', async () => {
      const limits = { ttlMs: 100, maxBytes: 50 };
      const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
      const step = fc.oneof<fc.Arbitrary<Step>[]>(
        fc.record({ kind: fc.constant('put' as const), id, bytes: fc.integer({ min: 0, max: 52 }) }),
        fc.record({ kind: fc.constant('get' as const), id }),
        fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 70 }) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          const model = new Model(limits);
          const store = await open(limits, () => model.now);
          for (const each of steps) await model.apply(each, store);
          for (const known of ['a', 'b', 'c', 'd', 'e']) await model.apply({ kind: 'get', id: known }, store);
          await store.close();
        }),
        { numRuns: harness.modelRuns },
      );
    });
  });
}
