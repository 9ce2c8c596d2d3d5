import type { GrepMatch } from '@jeeves/protocol';
import { capUtf8 } from '../exec/truncate.ts';
import type { PrunedOutput } from '../pruner.ts';
import { size } from './size.ts';

/** Matches as lines, and which match each line belongs to. */
export interface Listing {
  readonly matches: readonly GrepMatch[];
  /** `path:line:column:text` for a match, `path-line-text` for its neighbours. */
  readonly lines: readonly string[];
  /** For each line the index of its match. */
  readonly owners: readonly number[];
  readonly text: string;
}

/** Writes matches out. A line that is near two of them stands once; matches come by path and line. */
export function listMatches(matches: readonly GrepMatch[]): Listing {
  const lines: string[] = [];
  const owners: number[] = [];
  let printed = 0;
  for (const [owner, match] of matches.entries()) {
    const { path, line, column, text, before = [], after = [] } = match;
    const following = matches[owner + 1];
    const limit = following?.path === path ? following.line : Number.POSITIVE_INFINITY;
    if (matches[owner - 1]?.path !== path) printed = 0;
    const name = path.replace(/[\r\n]/g, (character) => (character === '\n' ? '\\n' : '\\r'));
    const add = (number: number, shown: string): void => {
      if (number <= printed || number >= limit) return;
      lines.push(shown);
      owners.push(owner);
      printed = number;
    };
    for (const [index, neighbour] of before.entries()) {
      const number = line - before.length + index;
      add(number, `${name}-${number}-${neighbour}`);
    }
    add(line, column === null ? `${name}:${line}:${text}` : `${name}:${line}:${column}:${text}`);
    for (const [index, neighbour] of after.entries()) add(line + 1 + index, `${name}-${line + 1 + index}-${neighbour}`);
  }
  return { matches, lines, owners, text: lines.join('\n') };
}

/** The matches of which something is shown. */
export function shownMatches({ matches, owners }: Listing, { kept, truncated, text }: PrunedOutput): readonly GrepMatch[] {
  if (kept !== undefined) {
    // A neighbour stands for its match: nobody wants to see it without.
    const wanted = new Set(owners.filter((_, line) => kept[line] === 1));
    return matches.filter((_, index) => wanted.has(index));
  }
  // Without whole lines no match is whole either: of the first there is as much as of the text.
  return truncated ? matches.slice(0, 1).map((match) => withoutMost(match, size(text))) : matches;
}

/** A match that alone is too large. */
function withoutMost({ path, line, column, text }: GrepMatch, bytes: number): GrepMatch {
  return { path, line, column, text: capUtf8(text, bytes).text };
}
