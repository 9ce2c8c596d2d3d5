/** Neighbouring lines that are taken together; counted from 0, `end` not included. */
export interface Piece {
  readonly first: number;
  readonly end: number;
}

export function range(first: number, end: number = first + 1): Piece {
  return { first, end };
}

/** What a marker costs, whoever chose the lines: a reader must see where something is missing. */
export const GAP_TOKENS = 17;

/** Takes pieces while lines and gaps together stay within `most` tokens. Gives a flag per line. */
export function fill(
  prices: readonly number[],
  most: number,
  { pieces, inOrder }: { readonly pieces: readonly Piece[]; readonly inOrder: boolean },
): Uint8Array {
  const kept = new Uint8Array(prices.length);
  if (prices.reduce((sum, price) => sum + price, 0) <= most) return kept.fill(1);
  let spent = GAP_TOKENS;
  for (const { first, end } of pieces) {
    const added: number[] = [];
    let cost = 0;
    for (let at = first; at < end; at += 1) {
      if (kept[at] === 1) continue;
      cost += (prices[at] ?? 0) + GAP_TOKENS * (cutAt(kept, at - 1) + cutAt(kept, at + 1) - 1);
      kept[at] = 1;
      added.push(at);
    }
    if (spent + cost <= most) spent += cost;
    else {
      for (const at of added) kept[at] = 0;
      if (inOrder) break;
    }
  }
  return kept;
}

/** A line between two cut ones splits a gap in two; one between two kept ones ends a gap. */
function cutAt(kept: Uint8Array, at: number): number {
  return kept[at] === 0 ? 1 : 0;
}
