import { resolve } from 'node:path';
import { EngineError } from '../../errors.ts';
import type { RecoveryStore, StoredText, StoreLimits } from '../store.ts';
import { DEFAULT_STORE_LIMITS } from '../store.ts';
import { storeFailure } from './failure.ts';
import { loadNodeDriver } from './node.ts';
import type { Driver, DriverName } from './port.ts';
import { encodeEntry, getText, putText } from './recovery.ts';
import { Turns } from './turns.ts';
import { loadWasmDriver } from './wasm.ts';

export interface SqliteStoreOptions {
  /** The database file; it and its directory are made if they do not exist, readable by their owner only. */
  readonly path: string;
  /** Defaults to `DEFAULT_STORE_LIMITS`. */
  readonly limits?: StoreLimits;
  /** The clock that decides expiry. Defaults to `Date.now`. */
  readonly now?: () => number;
  /** Which SQLite to use. Defaults to the runtime's own, and the WebAssembly build where the runtime has none. */
  readonly driver?: DriverName;
  /** How long an operation waits for another process that has the file. Defaults to 5000. */
  readonly lockWaitMs?: number;
}

export interface SqliteStore extends RecoveryStore {
  readonly driver: DriverName;
}

/**
 * Keeps texts in one file that survives restarts and crashes and that several processes may share.
 * Every failure, here and later, is an `EngineError('store_failed')`.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const path = resolve(options.path);
  try {
    const driver = await loadDriver(options.driver);
    const turns = new Turns(driver, path, options.lockWaitMs ?? 5000);
    // An unusable file shows at once instead of at the first text.
    await turns.submit(() => undefined);
    return createStore(path, driver, turns, options);
  } catch (error) {
    throw storeFailure(path, error);
  }
}

function createStore(path: string, driver: Driver, turns: Turns, options: SqliteStoreOptions): SqliteStore {
  const limits = options.limits ?? DEFAULT_STORE_LIMITS;
  const now = options.now ?? Date.now;
  let closed = false;
  const submit: Turns['submit'] = async (work) => {
    if (closed) throw new EngineError('store_failed', `The recovery store ${path} is closed.`, { data: { path } });
    return turns.submit(work);
  };
  return {
    url: `sqlite:${path}`,
    driver: driver.name,
    async put(entry: StoredText) {
      const encoded = encodeEntry(entry, limits);
      await submit((db) => putText(db, encoded, limits, now()));
    },
    get: (pruneId: string) => submit((db) => getText(db, pruneId, now())),
    async close() {
      closed = true;
      await turns.idle();
    },
  };
}

async function loadDriver(wanted: DriverName | undefined): Promise<Driver> {
  const native = wanted === 'wasm' ? undefined : loadNodeDriver();
  if (native !== undefined) return native;
  if (wanted === 'node') throw new Error(`Node ${process.versions.node} has no SQLite of its own`);
  return await loadWasmDriver();
}
