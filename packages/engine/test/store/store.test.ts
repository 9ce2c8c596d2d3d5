import type { ListingStore } from '../../src/store/store.ts';
import type { Stores } from '../../src/store/stores.ts';
import { HARNESSES } from './harness.ts';
import { describeStore } from './suite.ts';

for (const { name, place, open, clean, modelRuns } of HARNESSES) {
  describeStore({ name, open: async (options) => alone(await open(await place(), options)), clean, modelRuns });
}

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
