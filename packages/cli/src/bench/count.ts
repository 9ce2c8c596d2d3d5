import { loadTokenCounter } from '@jeeves/engine/tokens';

/** The tokenizer estimates texts beyond some 260,000 characters; a bench has the time to count them part by part. */
const PART_LENGTH = 200_000;

/** Counts tokens of texts of any length. Parts end where lines end, which costs at most a token a part. */
export async function exactCounter(): Promise<(text: string) => number> {
  const count = await loadTokenCounter();
  return (text) => {
    let tokens = 0;
    for (let start = 0; start < text.length; ) {
      const end = partEnd(text, start);
      tokens += count(text.slice(start, end)).tokens;
      start = end;
    }
    return tokens;
  };
}

function partEnd(text: string, start: number): number {
  const limit = start + PART_LENGTH;
  if (limit >= text.length) return text.length;
  const newline = text.lastIndexOf('\n', limit - 1);
  return newline < start ? limit : newline + 1;
}
