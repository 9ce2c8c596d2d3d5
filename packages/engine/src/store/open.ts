import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import { createMemoryStore } from './memory.ts';
import { openSqliteStore } from './sqlite/store.ts';
import type { RecoveryStore, StoreLimits } from './store.ts';

export interface OpenStoreOptions {
  /** Defaults to `DEFAULT_STORE_LIMITS`. */
  readonly limits?: StoreLimits;
  /** The clock that decides expiry. Defaults to `Date.now`. */
  readonly now?: () => number;
}

/** Opens the store a URL names: `memory:` or `sqlite:<path>`. */
export async function openStore(url: string, options: OpenStoreOptions = {}): Promise<RecoveryStore> {
  if (url === 'memory:') return createMemoryStore(options);
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return openSqliteStore({ ...options, path: url.slice('sqlite:'.length) });
  }
  // The URL of a server may hold a password: only its scheme is repeated.
  const scheme = url.slice(0, url.indexOf(':') + 1);
  const why = /^postgres(ql)?:$/.test(scheme) ? 'is not available yet' : 'is not known';
  throw new EngineError('config_error', `A store "${scheme}…" ${why}; use "sqlite:<path>" or "memory:".`, {
    data: { scheme },
  });
}

/** One file in the user's state directory, wherever the process was started. */
export function defaultStoreUrl(homeDir: string): string {
  return `sqlite:${join(homeDir, '.local', 'state', 'jeeves', 'jeeves.db')}`;
}
