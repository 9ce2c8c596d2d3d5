import type { Backend } from '@jeeves/engine';
import type { Judge } from '../../settings/judge.ts';

export interface JudgeDependencies {
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Who judges the lines of `prune_text`. What DeepInfra said is reused for a while; when it fails, the embedded backend
 * judges, and nothing of that is remembered.
 */
export async function createJudge(setting: Judge, { fetch, now }: JudgeDependencies): Promise<Backend> {
  const { createDeepInfraBackend, createEmbeddedBackend, withCache, withFallback, withRecent } = await import(
    '@jeeves/engine'
  );
  const embedded = createEmbeddedBackend();
  if (setting.backend === 'heuristic') return withRecent(embedded);
  const { apiKey, ...options } = setting.deepinfra;
  const deepinfra = createDeepInfraBackend({ ...options, apiKey, fetch, now });
  return withFallback(withCache(deepinfra, { ...setting.cache, now }), embedded);
}
