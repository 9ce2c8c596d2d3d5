import type { Values } from './values.ts';

/** What the context tools reckon with. The rates are shares of the price of an input token. */
export interface ContextSettings {
  readonly tokenLimit: number;
  readonly prices: {
    readonly inputPerMillion: number;
    readonly cacheWriteRate: number;
    readonly cacheReadRate: number;
  };
  readonly paybackTurns: number;
}

export function readContext({ integer }: Values): ContextSettings {
  return Object.freeze({
    tokenLimit: integer('JEEVES_CONTEXT_LIMIT'),
    prices: Object.freeze({
      inputPerMillion: integer('JEEVES_PRICE_INPUT_CENTS') / 100,
      cacheWriteRate: integer('JEEVES_PRICE_CACHE_WRITE_PERCENT') / 100,
      cacheReadRate: integer('JEEVES_PRICE_CACHE_READ_PERCENT') / 100,
    }),
    paybackTurns: integer('JEEVES_PAYBACK_TURNS'),
  });
}
