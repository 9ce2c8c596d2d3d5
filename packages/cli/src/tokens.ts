import { estimateTokens, type TokenCounter } from '@jeeves/engine';

/** Counts exactly where somebody will read the number; the tokenizer's tables take a while to load. */
export async function tokenCounter(shown: boolean): Promise<TokenCounter> {
  if (!shown) return (text) => ({ tokens: estimateTokens(text), method: 'estimate' });
  const { loadTokenCounter } = await import('@jeeves/engine/tokens');
  return await loadTokenCounter();
}
