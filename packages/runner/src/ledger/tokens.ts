import { Buffer } from 'node:buffer';

/** Counts the tokens of a text. `o200k` was counted with that vocabulary, `estimate` was not. */
export type CountTokens = (text: string) => { readonly tokens: number; readonly method: 'o200k' | 'estimate' };

const BYTES_PER_TOKEN = 3.6;

/** For callers that bring no tokenizer: about right for code and logs, never called measured. */
export function estimateTokens(text: string): { readonly tokens: number; readonly method: 'estimate' } {
  return { tokens: Math.round(Buffer.byteLength(text) / BYTES_PER_TOKEN), method: 'estimate' };
}
