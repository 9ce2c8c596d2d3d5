import type { RecoveryStore, StoredText } from '../src/index.ts';

// A byte order mark is a part of the text.
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The least that the engine needs of a store. The real ones are built on the engine, so its own tests cannot use them. */
export function createMemoryStore(): RecoveryStore {
  const kept = new Map<string, StoredText>();
  return {
    url: 'memory:',
    put: async ({ text, ...about }) =>
      void kept.set(about.pruneId, { ...about, text: typeof text === 'string' ? text : UTF8.decode(text) }),
    get: async (pruneId) => kept.get(pruneId),
    close: async () => kept.clear(),
  };
}
