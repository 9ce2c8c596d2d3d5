import { EngineError } from '@jeeves/engine';
import { DEFAULT_STORE_LIMITS } from '../limits.ts';
import { DEFAULT_SESSION_LIMITS } from '../sessions.ts';
import type { OpenStoresOptions, Stores } from '../stores.ts';
import { Database, type Transactions } from './database.ts';
import { readLocation } from './location.ts';
import { createPostgresRecovery } from './recovery.ts';
import { createPostgresSegments } from './segments/store.ts';
import { createPostgresSessions } from './sessions.ts';

export interface PostgresOptions extends OpenStoresOptions {
  /** `postgres://user:password@host:port/database`; `?options=-c search_path=name` chooses a schema other than `jeeves`. */
  readonly url: string;
  /** How long an operation keeps trying while the server is away, as during a restart. Defaults to 5000. */
  readonly patienceMs?: number;
  /** The longest the server may work on one statement. Defaults to 15000. */
  readonly statementTimeoutMs?: number;
}

/**
 * Keeps everything in a Postgres database that many processes on many machines may share.
 * Every failure but that of an unreadable URL is an `EngineError('store_failed')`; the password is in none of them.
 */
export async function openPostgresStores(options: PostgresOptions): Promise<Stores> {
  const { limits = DEFAULT_STORE_LIMITS, sessionLimits = DEFAULT_SESSION_LIMITS, now = Date.now } = options;
  const { patienceMs = 5000, statementTimeoutMs = 15_000 } = options;
  const location = readLocation(options.url);
  const database = new Database(location, { patienceMs, statementTimeoutMs });
  // A server that cannot be used shows at once instead of at the first text.
  await database
    .transaction(async () => undefined)
    .catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
  const url = location.shown;
  const [first, second, third] = facesOf(database);
  return {
    url,
    recovery: createPostgresRecovery(first, { url, limits, now }),
    segments: createPostgresSegments(second, url),
    sessions: createPostgresSessions(third, { url, limits: sessionLimits, now }),
    async close() {
      await Promise.all([first.close(), second.close(), third.close()]);
    },
  };
}

/** Three users of one pool, which ends with the last of them. */
function facesOf(database: Database): [Transactions, Transactions, Transactions] {
  let open = 3;
  const face = (): Transactions => {
    let closed = false;
    const usable = (): Database => {
      if (closed) throw new EngineError('store_failed', 'The store is closed.');
      return database;
    };
    return {
      transaction: async (work) => await usable().transaction(work),
      read: async (work) => await usable().read(work),
      async close() {
        if (!closed) open -= 1;
        closed = true;
        if (open === 0) await database.close();
      },
    };
  };
  return [face(), face(), face()];
}
