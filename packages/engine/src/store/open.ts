import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import { createMemoryStores } from './memory/stores.ts';
import { createMemoryStore } from './memory.ts';
import { openSqliteStore, openSqliteStores } from './sqlite/store.ts';
import type { ListingStore, StoreLimits } from './store.ts';
import type { OpenStoresOptions, Stores } from './stores.ts';

export interface OpenStoreOptions {
  /** Defaults to `DEFAULT_STORE_LIMITS`. */
  readonly limits?: StoreLimits;
  /** The clock that decides expiry. Defaults to `Date.now`. */
  readonly now?: () => number;
}

/** Opens the recovery store a URL names: `memory:`, `sqlite:<path>` or `postgres://…`. */
export async function openStore(url: string, options: OpenStoreOptions = {}): Promise<ListingStore> {
  if (url === 'memory:') return createMemoryStore(options);
  const path = sqlitePath(url);
  if (path !== undefined) return await openSqliteStore({ ...options, path });
  if (isPostgres(url)) return recoveryOf(await openPostgres(url, options));
  throw unknownStore(url);
}

/** Opens all stores a URL names. What nobody uses costs nothing. */
export async function openStores(url: string, options: OpenStoresOptions = {}): Promise<Stores> {
  if (url === 'memory:') return createMemoryStores(options);
  const path = sqlitePath(url);
  if (path !== undefined) return await openSqliteStores({ ...options, path });
  if (isPostgres(url)) return await openPostgres(url, options);
  throw unknownStore(url);
}

/** One file in the user's state directory, wherever the process was started. */
export function defaultStoreUrl(homeDir: string): string {
  return `sqlite:${join(homeDir, '.local', 'state', 'jeeves', 'jeeves.db')}`;
}

function sqlitePath(url: string): string | undefined {
  return url.startsWith('sqlite:') && url.length > 'sqlite:'.length ? url.slice('sqlite:'.length) : undefined;
}

function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url);
}

/** Most processes keep their texts in a file: the client library is loaded for those that do not. */
async function openPostgres(url: string, options: OpenStoresOptions): Promise<Stores> {
  const { openPostgresStores } = await import('./postgres.ts');
  return await openPostgresStores({ ...options, url });
}

function recoveryOf({ recovery, close }: Stores): ListingStore {
  return { ...recovery, close };
}

/** The URL of a server may hold a password: only its scheme is repeated. */
function unknownStore(url: string): EngineError {
  const scheme = url.slice(0, url.indexOf(':') + 1);
  const known = '"sqlite:<path>", "postgres://…" or "memory:"';
  return new EngineError('config_error', `A store "${scheme}…" is not known; use ${known}.`, { data: { scheme } });
}
