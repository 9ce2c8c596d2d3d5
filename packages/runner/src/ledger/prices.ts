import type { LedgerPrices } from '@jeeves/protocol';

type Rates = Omit<LedgerPrices, 'basis'>;

/** List prices by the start of a model's name, longest first. They age: a caller may give others. */
const KNOWN: readonly (readonly [prefix: string, rates: Rates])[] = [
  ['claude-haiku', { input: 1, output: 5, cache_write: 1.25, cache_read: 0.1 }],
  ['claude-sonnet', { input: 3, output: 15, cache_write: 3.75, cache_read: 0.3 }],
  ['claude-opus', { input: 5, output: 25, cache_write: 6.25, cache_read: 0.5 }],
  ['haiku', { input: 1, output: 5, cache_write: 1.25, cache_read: 0.1 }],
  ['sonnet', { input: 3, output: 15, cache_write: 3.75, cache_read: 0.3 }],
  ['opus', { input: 5, output: 25, cache_write: 6.25, cache_read: 0.5 }],
  // Writing to the cache costs nothing extra here.
  ['gpt-', { input: 1.25, output: 10, cache_write: 1.25, cache_read: 0.125 }],
];

const USUAL_MODEL: Readonly<Record<string, string>> = { codex: 'gpt-' };

/** USD per million tokens for a run: as given, else those of its model or of the provider's usual one. */
export function pricesFor(provider: string, model: string | undefined, given?: Rates): LedgerPrices {
  if (given !== undefined) return { ...given, basis: 'given' };
  const names = [model ?? '', USUAL_MODEL[provider] ?? 'claude-sonnet'];
  const rates = names.map((name) => KNOWN.find(([prefix]) => name.startsWith(prefix))).find((found) => found)?.[1];
  return { ...(rates ?? { input: 3, output: 15, cache_write: 3.75, cache_read: 0.3 }), basis: 'assumed' };
}
