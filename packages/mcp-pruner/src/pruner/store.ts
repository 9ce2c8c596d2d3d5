import type { RecoveryStore } from '@jeeves/engine';
import type { StoreLimits } from '@jeeves/store';

export interface LazyStoreOptions {
  /** Absent: the file in the home directory. */
  readonly url?: string | undefined;
  readonly home: string;
  readonly ttlMs: number;
  /** Texts of different quotas never push each other out. Absent: the quota of agents. */
  readonly quota?: string | undefined;
  readonly now: () => number;
  /** Told once when the store cannot be opened and texts are kept in memory instead. */
  readonly onProblem: (message: string) => void;
}

/**
 * The configured store, loaded and opened when it is first needed: a server that never prunes never pays for it.
 * Where it cannot be opened (a home without write access), texts live as long as this process.
 */
export function createLazyStore(options: LazyStoreOptions): RecoveryStore {
  let opening: Promise<RecoveryStore> | undefined;
  let substitute: Promise<RecoveryStore> | undefined;
  const open = (): Promise<RecoveryStore> => {
    opening ??= openConfigured(options).catch((error: unknown) => {
      // The next use tries again: a full disk or a missing mount may be a passing thing.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const inMemory = (error: unknown): Promise<RecoveryStore> => {
    if (substitute === undefined) options.onProblem(`${messageOf(error)} Pruned texts are kept in memory.`);
    substitute ??= openSubstitute(options);
    return substitute;
  };
  return {
    url: options.url ?? 'sqlite:',
    put: async (entry, ttlMs) => await (await open().catch(inMemory)).put(entry, ttlMs),
    get: async (pruneId) => (await (await substitute)?.get(pruneId)) ?? (await (await open()).get(pruneId)),
    close: async () => {
      await (await opening?.catch(() => undefined))?.close();
      await (await substitute)?.close();
    },
  };
}

async function openSubstitute(options: LazyStoreOptions): Promise<RecoveryStore> {
  const { createMemoryStore } = await import('@jeeves/store');
  return createMemoryStore({ limits: await limitsOf(options), now: options.now });
}

async function openConfigured(options: LazyStoreOptions): Promise<RecoveryStore> {
  const { defaultStoreUrl, openStore } = await import('@jeeves/store');
  const { now, home, url = defaultStoreUrl(home) } = options;
  return await openStore(url, { now, limits: await limitsOf(options) });
}

async function limitsOf({ ttlMs, quota }: LazyStoreOptions): Promise<StoreLimits> {
  const { DEFAULT_STORE_LIMITS } = await import('@jeeves/store');
  return { ...DEFAULT_STORE_LIMITS, ttlMs, ...(quota !== undefined && { quota }) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The store cannot be opened.';
}
