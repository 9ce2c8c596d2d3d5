import type { OpenStoresOptions, Stores } from '../stores.ts';
import { createMemoryStore } from './recovery.ts';
import { createMemorySegmentStore } from './segments.ts';
import { createMemorySessionStore } from './sessions.ts';

/** All stores in this process only: nothing survives it. */
export function createMemoryStores({ limits, sessionLimits, now }: OpenStoresOptions = {}): Stores {
  const clock = now === undefined ? {} : { now };
  const recovery = createMemoryStore({ ...clock, ...(limits === undefined ? {} : { limits }) });
  const segments = createMemorySegmentStore();
  const sessions = createMemorySessionStore({
    ...clock,
    ...(sessionLimits === undefined ? {} : { limits: sessionLimits }),
  });
  return {
    url: 'memory:',
    recovery,
    segments,
    sessions,
    async close() {
      await Promise.all([recovery.close(), segments.close(), sessions.close()]);
    },
  };
}
