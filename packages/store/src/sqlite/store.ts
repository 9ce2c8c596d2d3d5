import { resolve } from 'node:path';
import type { RecoveryStore, StoredText } from '@jeeves/engine';
import { EngineError } from '@jeeves/engine';
import type { StoreLimits } from '../limits.ts';
import { DEFAULT_STORE_LIMITS } from '../limits.ts';
import { DEFAULT_SESSION_LIMITS } from '../sessions.ts';
import type { OpenStoresOptions, Stores } from '../stores.ts';
import { loadSqlite } from './connection.ts';
import { storeFailure } from './failure.ts';
import { encodeEntry, getText, putText } from './recovery.ts';
import { createSqliteSegments } from './segments/store.ts';
import { createSqliteSessions } from './sessions.ts';
import { type Submit, Turns } from './turns.ts';

export interface SqliteStoreOptions extends OpenStoresOptions {
  /** The database file; it and its directory are made if they do not exist, readable by their owner only. */
  readonly path: string;
  /** How long an operation waits for another process that has the file. Defaults to 5000. */
  readonly lockWaitMs?: number;
}

/** Keeps pruned texts in one file; see `openSqliteStores`. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<RecoveryStore> {
  const { recovery, close } = await openSqliteStores(options);
  return { ...recovery, close };
}

/**
 * Keeps everything in one file that survives restarts and crashes and that several processes may share.
 * Every failure, here and later, is an `EngineError('store_failed')`.
 */
export async function openSqliteStores(options: SqliteStoreOptions): Promise<Stores> {
  const path = resolve(options.path);
  try {
    const turns = new Turns(await loadSqlite(), path, options.lockWaitMs ?? 5000);
    // An unusable file shows at once instead of at the first text.
    await turns.submit(() => undefined);
    return createStores(path, turns, options);
  } catch (error) {
    throw storeFailure(path, error);
  }
}

/** Three faces of one file, which close one by one or together. */
function createStores(path: string, turns: Turns, options: SqliteStoreOptions): Stores {
  const now = options.now ?? Date.now;
  const url = `sqlite:${path}`;
  const [first, second, third] = [closable(path, turns), closable(path, turns), closable(path, turns)];
  const limits = options.sessionLimits ?? DEFAULT_SESSION_LIMITS;
  return {
    url,
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
): RecoveryStore {
  return {
    url,
    async put(entry: StoredText, ttlMs = limits.ttlMs) {
      const encoded = encodeEntry(entry, limits);
      await submit((db) => putText(db, encoded, { ...limits, ttlMs }, now()));
    },
    get: (pruneId: string) => submit((db) => getText(db, pruneId, now())),
    close,
  };
}
