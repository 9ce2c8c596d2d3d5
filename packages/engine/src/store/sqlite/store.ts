import { EngineError } from '../../errors.ts';
import { DEFAULT_SESSION_LIMITS } from '../sessions.ts';
import type { ListingStore, StoreLimits } from '../store.ts';
import { DEFAULT_STORE_LIMITS } from '../store.ts';
import type { OpenStoresOptions, Stores } from '../stores.ts';
import { storeFailure } from './failure.ts';
import { loadNodeDriver } from './node.ts';
import { storePath } from './path.ts';
import type { Driver, DriverName } from './port.ts';
import { encodeEntry, getText, putText, recentTexts } from './recovery.ts';
import { createSqliteSegments } from './segments/store.ts';
import { createSqliteSessions } from './sessions.ts';
import { type Submit, Turns } from './turns.ts';
import { loadWasmDriver } from './wasm.ts';

export interface SqliteStoreOptions extends OpenStoresOptions {
  /** The database file; it and its directory are made if they do not exist, readable by their owner only. */
  readonly path: string;
  /** Which SQLite to use. Defaults to the runtime's own, and the WebAssembly build where the runtime has none. */
  readonly driver?: DriverName;
  /** How long an operation waits for another process that has the file. Defaults to 5000. */
  readonly lockWaitMs?: number;
}

export interface SqliteStore extends ListingStore {
  readonly driver: DriverName;
}

export interface SqliteStores extends Stores {
  readonly driver: DriverName;
}

/** Keeps pruned texts in one file; see `openSqliteStores`. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const { recovery, driver, close } = await openSqliteStores(options);
  return { ...recovery, driver, close };
}

/**
 * Keeps everything in one file that survives restarts and crashes and that several processes may share.
 * Every failure, here and later, is an `EngineError('store_failed')`.
 */
export async function openSqliteStores(options: SqliteStoreOptions): Promise<SqliteStores> {
  try {
    const path = storePath(options.path);
    const driver = await loadDriver(options.driver);
    const turns = new Turns(driver, path, options.lockWaitMs ?? 5000);
    // An unusable file shows at once instead of at the first text.
    await turns.submit(() => undefined);
    return createStores(path, driver.name, turns, options);
  } catch (error) {
    throw storeFailure(options.path, error);
  }
}

/** Three faces of one file, which close one by one or together. */
function createStores(path: string, driver: DriverName, turns: Turns, options: SqliteStoreOptions): SqliteStores {
  const now = options.now ?? Date.now;
  const url = `sqlite:${path}`;
  const [first, second, third] = [closable(path, turns), closable(path, turns), closable(path, turns)];
  const limits = options.sessionLimits ?? DEFAULT_SESSION_LIMITS;
  return {
    url,
    driver,
    recovery: createRecovery(url, first, options.limits ?? DEFAULT_STORE_LIMITS, now),
    segments: createSqliteSegments(url, second.submit, second.close),
    sessions: createSqliteSessions(url, third.submit, third.close, { limits, now }),
    async close() {
      await Promise.all([first.close(), second.close(), third.close()]);
    },
  };
}

interface Closable {
  readonly submit: Submit;
  readonly close: () => Promise<void>;
}

function closable(path: string, turns: Turns): Closable {
  let closed = false;
  return {
    async submit(work) {
      if (closed) throw new EngineError('store_failed', `The store ${path} is closed.`, { data: { path } });
      return await turns.submit(work);
    },
    async close() {
      closed = true;
      await turns.idle();
    },
  };
}

function createRecovery(
  url: string,
  { submit, close }: Closable,
  limits: StoreLimits,
  now: () => number,
): ListingStore {
  return {
    url,
    async put(entry, ttlMs = limits.ttlMs) {
      const encoded = encodeEntry(entry, limits);
      await submit((db) => putText(db, encoded, { ...limits, ttlMs }, now()));
    },
    get: (pruneId) => submit((db) => getText(db, pruneId, now())),
    recent: (query) => submit((db) => recentTexts(db, query, now())),
    close,
  };
}

async function loadDriver(wanted: DriverName | undefined): Promise<Driver> {
  const native = wanted === 'wasm' ? undefined : loadNodeDriver();
  if (native !== undefined) return native;
  if (wanted === 'node') throw new Error(`Node ${process.versions.node} has no SQLite of its own`);
  return await loadWasmDriver();
}
