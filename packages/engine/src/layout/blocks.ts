import { BLANK, CLOSER, COMMENT, DEFINITION, type Layout } from './layout.ts';

const SOFT_SIZE = 24;
const HARD_SIZE = 48;

/** A text cut into blocks that belong together: a definition with its comment and body, a section, a paragraph run. */
export interface Blocks {
  readonly starts: Uint32Array;
  /** The block of each line. */
  readonly of: Uint32Array;
}

export function cutBlocks(layout: Layout): Blocks {
  const count = layout.flags.length;
  const starts: number[] = count === 0 ? [] : [0];
  const of = new Uint32Array(count);
  let attached = -1;
  for (let index = 0; index < count; index += 1) {
    const flags = layout.flags[index] ?? 0;
    const size = index - (starts.at(-1) ?? 0);
    if ((flags & DEFINITION) !== 0) {
      const start = attached === -1 ? index : attached;
      if (start > (starts.at(-1) ?? 0)) starts.push(start);
    } else if (size >= HARD_SIZE || (size >= SOFT_SIZE && (flags & BLANK) !== 0)) starts.push(index);
    // A comment or decorator right above a definition goes with it.
    if ((flags & COMMENT) === 0) attached = -1;
    else if (attached === -1) attached = index;
    if ((flags & (BLANK | CLOSER)) !== 0) attached = -1;
  }
  for (let block = 0; block < starts.length; block += 1) of.fill(block, starts[block], starts[block + 1] ?? count);
  return { starts: Uint32Array.from([...starts, count]), of };
}
