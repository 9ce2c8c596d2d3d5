/** What tokens cost. The rates are shares of the price of an uncached input token. */
export interface Prices {
  readonly inputPerMillion: number;
  readonly cacheWriteRate: number;
  readonly cacheReadRate: number;
}

/** Per million tokens in US dollars; a cache write costs a quarter more than reading anew, a cache read a tenth. */
export const DEFAULT_PRICES: Prices = { inputPerMillion: 3, cacheWriteRate: 1.25, cacheReadRate: 0.1 };

/** A clearing that has not paid by then is not worth it: by then the window holds other things. */
export const DEFAULT_PAYBACK_TURNS = 50;

/** What it costs and brings to take segments out of a window whose beginning is cached. */
export interface Clearing {
  readonly tokensFreed: number;
  /** What stands after the first cleared segment and stays: the cache knows it only behind the old beginning. */
  readonly cachedTokensInvalidated: number;
  /** After so many turns less has been paid than without clearing; absent when that never happens. */
  readonly turnsToPayBack?: number | undefined;
  readonly costUsd: number;
  readonly savedUsdPerTurn: number;
}

/** What is cleared: how much it is, and where the first of it stands in the window. */
export interface Cleared {
  readonly tokens: number;
  /** Nothing is cleared: past the end. */
  readonly first: number;
}

/** Prices one clearing of a window with so many tokens from each place on. */
export function priceClearing({ tokens, first }: Cleared, tokensFrom: readonly number[], prices: Prices): Clearing {
  const invalidated = Math.max(0, (tokensFrom[first] ?? 0) - tokens);
  const { cost, saving, turnsToPayBack } = balance(invalidated, tokens, prices);
  return {
    tokensFreed: tokens,
    cachedTokensInvalidated: invalidated,
    turnsToPayBack,
    costUsd: dollars(cost, prices),
    savedUsdPerTurn: dollars(saving, prices),
  };
}

interface Balance extends Pick<Clearing, 'turnsToPayBack'> {
  readonly cost: number;
  readonly saving: number;
}

/** In tokens at the full price. */
function balance(invalidated: number, freed: number, { cacheWriteRate, cacheReadRate }: Prices): Balance {
  // What stays would have been read from the cache anyway; once, it is written instead.
  const cost = invalidated * Math.max(0, cacheWriteRate - cacheReadRate);
  const saving = freed * cacheReadRate;
  return { cost, saving, turnsToPayBack: cost === 0 ? 0 : saving === 0 ? undefined : Math.ceil(cost / saving) };
}

/** When it pays to clear all of this rather than a part of it: of what that adds, and of nothing else. */
export function priceOfMore(all: Clearing, part: Clearing, prices: Prices): Pick<Clearing, 'turnsToPayBack'> {
  const invalidated = Math.max(0, all.cachedTokensInvalidated - part.cachedTokensInvalidated);
  return balance(invalidated, all.tokensFreed - part.tokensFreed, prices);
}

/** From here on making room matters more than what it costs. In percent of the window. */
export const NEARLY_FULL = 90;

/** What decides whether a clearing is recommended. */
export interface Circumstances {
  /** Within so many turns it is to pay back. */
  readonly paybackTurns: number;
  /** How full the window is, in percent. */
  readonly percent: number;
}

export function isWorthwhile(clearing: Clearing, { paybackTurns, percent }: Circumstances): boolean {
  return percent >= NEARLY_FULL || paysWithin(paybackTurns, clearing);
}

export function paysWithin(turns: number, { turnsToPayBack }: Pick<Clearing, 'turnsToPayBack'>): boolean {
  return turnsToPayBack !== undefined && turnsToPayBack <= turns;
}

function dollars(amount: number, { inputPerMillion }: Prices): number {
  return Math.round(amount * inputPerMillion) / 1_000_000;
}
