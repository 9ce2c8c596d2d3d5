import type { RecoveryStore } from '@jeeves/engine';
import type { SessionStore, Stores } from '@jeeves/store';

export interface LazyStoresOptions {
  /** `JEEVES_STORE`; absent means the file in the home directory. */
  readonly url?: string | undefined;
  readonly home: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told once when the store cannot be opened and this process's memory stands in for it. */
  readonly onProblem: (message: string) => void;
}

export interface LazyStores {
  readonly recovery: RecoveryStore;
  readonly sessions: SessionStore;
  readonly close: () => Promise<void>;
}

/** The configured store, opened when it is first needed. Where it cannot be, texts and sessions live with this process. */
export function createLazyStores(options: LazyStoresOptions): LazyStores {
  let opening: Promise<Stores> | undefined;
  let substitute: Promise<Stores> | undefined;

  function open(): Promise<Stores> {
    opening ??= openConfigured(options).catch((error: unknown) => {
      // The next use tries again: a full disk or a missing mount may be a passing thing.
      opening = undefined;
      throw error;
    });
    return opening;
  }

  async function usable(): Promise<Stores> {
    try {
      return await open();
    } catch (error) {
      if (substitute === undefined) {
        const why = error instanceof Error ? error.message : 'The store cannot be opened.';
        options.onProblem(`${why} What it would hold is kept in memory.`);
      }
      substitute ??= openSubstitute(options);
      return await substitute;
    }
  }

  async function close(): Promise<void> {
    await (await opening?.catch(() => undefined))?.close();
    await (await substitute)?.close();
  }

  const url = options.url ?? 'sqlite:';
  const recovery: RecoveryStore = {
    url,
    put: async (entry, ttlMs) => await (await usable()).recovery.put(entry, ttlMs),
    get: async (id) => (await (await substitute)?.recovery.get(id)) ?? (await (await open()).recovery.get(id)),
    close,
  };
  const sessions: SessionStore = {
    url,
    read: async (key) => await (await usable()).sessions.read(key),
    mark: async (key, marks) => await (await usable()).sessions.mark(key, marks),
    unmark: async (key, names) => await (await usable()).sessions.unmark(key, names),
    remove: async (key) => await (await usable()).sessions.remove(key),
    close,
  };
  return { recovery, sessions, close };
}

async function openSubstitute({ now }: LazyStoresOptions): Promise<Stores> {
  const { openStores } = await import('@jeeves/store');
  return await openStores('memory:', { now });
}

async function openConfigured({ url, home, now }: LazyStoresOptions): Promise<Stores> {
  const { defaultStoreUrl, openStores } = await import('@jeeves/store');
  return await openStores(url ?? defaultStoreUrl(home), { now });
}
