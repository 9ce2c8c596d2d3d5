import { createStores } from '../sql/stores.ts';
import type { OpenStoresOptions, Stores } from '../stores.ts';
import { Database } from './database.ts';
import { readLocation } from './location.ts';

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
  return createStores(location.shown, database, options);
}
