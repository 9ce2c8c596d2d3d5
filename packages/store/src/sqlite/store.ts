import type { ListingStore } from '../listing.ts';
import { createStores } from '../sql/stores.ts';
import type { OpenStoresOptions, Stores } from '../stores.ts';
import { loadSqlite } from './connection.ts';
import { storeFailure } from './failure.ts';
import { storePath } from './path.ts';
import { Turns } from './turns.ts';

export interface SqliteStoreOptions extends OpenStoresOptions {
  /** The database file; it and its directory are made if they do not exist, readable by their owner only. */
  readonly path: string;
  /** How long an operation waits for another process that has the file. Defaults to 5000. */
  readonly lockWaitMs?: number;
}

/** Keeps pruned texts in one file; see `openSqliteStores`. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<ListingStore> {
  const { recovery, close } = await openSqliteStores(options);
  return { ...recovery, close };
}

/**
 * Keeps everything in one file that survives restarts and crashes and that several processes may share.
 * Every failure, here and later, is an `EngineError('store_failed')`.
 */
export async function openSqliteStores(options: SqliteStoreOptions): Promise<Stores> {
  try {
    const path = storePath(options.path);
    const turns = new Turns(await loadSqlite(), path, options.lockWaitMs ?? 5000);
    // An unusable file shows at once instead of at the first text.
    await turns.transaction(async () => undefined);
    return createStores(`sqlite:${path}`, turns, options);
  } catch (error) {
    throw storeFailure(options.path, error);
  }
}
