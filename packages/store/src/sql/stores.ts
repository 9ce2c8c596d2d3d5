import { EngineError } from '@jeeves/engine';
import { DEFAULT_STORE_LIMITS } from '../limits.ts';
import { DEFAULT_SESSION_LIMITS } from '../sessions.ts';
import type { OpenStoresOptions, Stores } from '../stores.ts';
import { createRecovery } from './recovery.ts';
import { createSegments } from './segments.ts';
import type { Transactions } from './session.ts';
import { createSessions } from './sessions.ts';

/** Three stores on one database, which close one by one or together. */
export function createStores(url: string, database: Transactions, options: OpenStoresOptions): Stores {
  const { limits = DEFAULT_STORE_LIMITS, sessionLimits = DEFAULT_SESSION_LIMITS, now = Date.now } = options;
  const [first, second, third] = shared(url, database);
  return {
    url,
    recovery: createRecovery(first, { url, limits, now }),
    segments: createSegments(second, url),
    sessions: createSessions(third, { url, limits: sessionLimits, now }),
    async close() {
      await Promise.all([first.close(), second.close(), third.close()]);
    },
  };
}

/** Three users of one database, which is closed with the last of them. */
function shared(url: string, database: Transactions): [Transactions, Transactions, Transactions] {
  let open = 3;
  const user = (): Transactions => {
    let closed = false;
    const usable = (): Transactions => {
      if (closed) throw new EngineError('store_failed', `The store ${url} is closed.`, { data: { store: url } });
      return database;
    };
    return {
      transaction: async (work) => await usable().transaction(work),
      read: async (work) => await usable().read(work),
      idle: () => database.idle(),
      async close() {
        if (!closed) open -= 1;
        closed = true;
        await (open === 0 ? database.close() : database.idle());
      },
    };
  };
  return [user(), user(), user()];
}
