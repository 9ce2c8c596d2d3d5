import type { RecoveryStore, StoredText } from '../src/index.ts';

/** The least that the engine needs of a store. The real ones are built on the engine, so its own tests cannot use them. */
export function createMemoryStore(): RecoveryStore {
  const kept = new Map<string, StoredText>();
  return {
    url: 'memory:',
    put: async (entry) => void kept.set(entry.pruneId, entry),
    get: async (pruneId) => kept.get(pruneId),
    close: async () => kept.clear(),
  };
}
