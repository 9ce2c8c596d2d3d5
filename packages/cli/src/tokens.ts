import { estimateTokens, type TokenCounter } from '@jeeves/engine';

/** Counts exactly where somebody will read the number; the tokenizer's tables take a while to load. */
export async function tokenCounter(shown: boolean): Promise<TokenCounter> {
  if (!shown) return (text) => ({ tokens: estimateTokens(text), method: 'estimate' });
  const { loadTokenCounter } = await import('@jeeves/engine/tokens');
  return await loadTokenCounter();
}

/** Counts what comes near its budget. */
export async function exactTokens(): Promise<TokenCounter> {
  const { sharedTokenCounter } = await import('@jeeves/engine/tokens');
  return await sharedTokenCounter();
}
