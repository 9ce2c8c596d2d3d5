import { describe, expect, it } from 'vitest';
import type { ListingStore } from '../src/listing.ts';
import type { Stores } from '../src/stores.ts';
import { HARNESSES, STARTING_MS } from './harness.ts';
import { describeStore } from './suite.ts';
import { entryOf } from './texts.ts';

for (const { name, place, open, clean, modelRuns } of HARNESSES) {
  describeStore({ name, open: async (options) => alone(await open(await place(), options)), clean, modelRuns });
}

describe.each(HARNESSES.filter(({ shares }) => shares))('quotas in $name', { timeout: STARTING_MS }, (harness) => {
  const limits = { ttlMs: 1000, maxBytes: 100 };

  it('are counted apart when a text moves from one to another or expires', async () => {
    let now = 1000;
    const place = await harness.place();
    const open = async (quota: string): Promise<ListingStore> =>
      alone(await harness.open(place, { limits: { ...limits, quota }, now: () => now }));
    const [left, right] = [await open('left'), await open('right')];
    const held = async (): Promise<string[]> => (await left.recent({ limit: 99 })).map(({ pruneId }) => pruneId);
    await left.put(entryOf('a', 'a'.repeat(60)));
    await right.put(entryOf('b', 'b'.repeat(60)));
    await right.put(entryOf('a', 'a'.repeat(40)));
    await left.put(entryOf('c', 'c'.repeat(100)));
    expect(await held()).toEqual(['c', 'a', 'b']);
    now = 2000;
    await right.put(entryOf('d', 'd'));
    now = 1000;
    expect(await held()).toEqual(['d']);
    await left.put(entryOf('e', 'e'.repeat(100)));
    await right.put(entryOf('f', 'f'.repeat(99)));
    expect(await held()).toEqual(['f', 'e', 'd']);
    await Promise.all([left.close(), right.close()]);
    harness.clean();
  });

  it('take puts into new ones at once', async () => {
    const place = await harness.place();
    const quotas = ['', 'x', 'y', 'x', 'y', 'z'];
    const stores = await Promise.all(
      quotas.map(async (quota) => alone(await harness.open(place, { limits: { ...limits, quota } }))),
    );
    await Promise.all(stores.map((store, at) => store.put(entryOf(`n${at}`, 'n'.repeat(50)))));
    await Promise.all(stores.map((store, at) => store.put(entryOf(`m${at}`, 'm'.repeat(50)))));
    expect(await stores[0]?.recent({ limit: 99 })).toHaveLength(8);
    await Promise.all(stores.map((store) => store.close()));
    harness.clean();
  });
});

/** The recovery store, closing whatever was opened for it. */
function alone({ recovery, close }: Stores): ListingStore {
  return {
    url: recovery.url,
    put: (entry, ttlMs) => recovery.put(entry, ttlMs),
    get: (pruneId) => recovery.get(pruneId),
    recent: (query) => recovery.recent(query),
    close,
  };
}
