import type { GrepMatch, PruningMetadata } from '@jeeves/protocol';
import { capUtf8 } from '../exec/truncate.ts';
import type { PrunedOutput } from '../pruner.ts';
import { countNewlines, fit, linesCovered, size } from './fit.ts';

/** Matches as lines, and which match each line belongs to. */
export interface Listing {
  readonly matches: readonly GrepMatch[];
  /** `path:line:column:text` for a match, `path-line-text` for its neighbours. */
  readonly lines: readonly string[];
  /** For each line the index of its match. */
  readonly owners: readonly number[];
  /** For each match the index of its own line. */
  readonly places: readonly number[];
  readonly text: string;
}

export interface ShownMatches {
  readonly text: string;
  readonly matches: readonly GrepMatch[];
  readonly pruning: PruningMetadata;
  readonly closing?: string;
  readonly rawCut: boolean;
  readonly prunedCut?: string;
}

/** Writes matches out. A line that is near two of them stands once; matches come by path and line. */
export function listMatches(matches: readonly GrepMatch[]): Listing {
  const lines: string[] = [];
  const owners: number[] = [];
  const places: number[] = [];
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
    places.push(lines.length);
    add(line, column === null ? `${name}:${line}:${text}` : `${name}:${line}:${column}:${text}`);
    for (const [index, neighbour] of after.entries()) add(line + 1 + index, `${name}-${line + 1 + index}-${neighbour}`);
  }
  return { matches, lines, owners, places, text: lines.join('\n') };
}

/** The matches that pruning left, as many as fit. */
export function showMatches(listing: Listing, output: PrunedOutput, bytes: number): ShownMatches {
  const { kept } = output;
  if (kept === undefined) return firstMatches(listing, output, bytes);
  const { text, pruning, closing, rawCut, prunedCut } = fit(output, bytes);
  const end = prunedCut === undefined ? kept.length : linesCovered(kept, countNewlines(text));
  // A neighbour stands for its match: nobody wants to see it without.
  const wanted = new Set(listing.owners.filter((_, line) => line < end && kept[line] === 1));
  return {
    text,
    matches: listing.matches.filter((_, index) => wanted.has(index)),
    pruning,
    rawCut,
    ...(prunedCut !== undefined && { prunedCut }),
    ...(closing !== undefined && { closing }),
  };
}

/** Whole matches as long as one fits. */
function firstMatches(listing: Listing, { pruning }: PrunedOutput, bytes: number): ShownMatches {
  const { matches, lines, places, text } = listing;
  if (bytes === Number.POSITIVE_INFINITY || size(text) <= bytes) return { text, matches, pruning, rawCut: false };
  let used = -1;
  let end = 0;
  for (; end < lines.length; end += 1) {
    used += 1 + size(lines[end] ?? '');
    if (used > bytes) break;
  }
  const count = places.filter((place) => place < end).length;
  const shown = count > 0 ? lines.slice(0, end).join('\n') : capUtf8(text, bytes).text;
  const raw_bytes = size(shown);
  return {
    text: shown,
    matches: count > 0 ? matches.slice(0, count) : matches.slice(0, 1).map((match) => withoutMost(match, bytes)),
    pruning: { ...pruning, raw_bytes, ...(pruning.applied && { pruned_bytes: raw_bytes }) },
    rawCut: true,
  };
}

/** A match that alone is too large. */
function withoutMost({ path, line, column, text }: GrepMatch, bytes: number): GrepMatch {
  return { path, line, column, text: capUtf8(text, bytes).text };
}
