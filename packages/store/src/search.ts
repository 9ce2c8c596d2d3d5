import type { SegmentMatches, SegmentMeta } from './segments.ts';
import { rarity, soughtWords } from './words.ts';

/** The most segments looked at for one word. A word of more segments says little; its newest ones stand for the rest. */
export const LOOKUP_CAP = 200;
/** How many conjunctions of common words are tried. */
const MAX_CONJUNCTIONS = 2;
/** How many common words are looked for among what rare ones found: the commonest would hardly change their order. */
const MAX_AMONG_RARE = 3;

/** A word of fewer segments than this may not be how others spell it. */
const FEW = 10;

/** Asks a store for the segments that have all words of `all` and, unless it is empty, one of `any`. Never for none. */
export interface Lookup {
  readonly all: readonly string[];
  readonly any: readonly string[];
}

/** Numbers of segments, growing with their age in the store, newest first, at most `LOOKUP_CAP`. */
export type Found = readonly number[];

export interface Candidates {
  /** Number and score of each, best first. */
  readonly ranked: readonly (readonly [seq: number, score: number])[];
  readonly capped: boolean;
}

interface Word {
  readonly word: string;
  readonly found: Found;
  /** More segments have it than were found. */
  readonly isCapped: boolean;
  readonly weight: number;
}

/**
 * Finds the segments worth ranking in a few rounds of bounded lookups, however common the words are: rare words lead, and
 * common ones add their newest segments, those that have several of them, and weight to what rare words found.
 * A generator, because one store answers at once and another later. `common` says of words how many segments about have
 * them, where a store looks only at some of those; it may grow with what the store finds.
 */
export function* searchCandidates(
  text: string,
  segments: number,
  common: ReadonlyMap<string, number> = new Map(),
): Generator<readonly Lookup[], Candidates, readonly Found[]> {
  const sought = soughtWords(text);
  const wholes = sought.filter((word) => !isPartOf(word, sought));
  const found = new Map(zip(wholes, yield wholes.map(alone)));
  // What `getUserName` finds says more than what `user` finds; only where it finds little are its parts looked for.
  const unknown = wholes.filter((word) => (found.get(word)?.length ?? 0) < FEW);
  const parts = sought.filter((word) => isPartOf(word, unknown));
  if (parts.length > 0) for (const [word, list] of zip(parts, yield parts.map(alone))) found.set(word, list);
  const words = [...found]
    .filter(([, list]) => list.length > 0)
    .map(([word, list]): Word => {
      const frequency = Math.max(common.get(word) ?? 0, estimate(list, segments));
      const isCapped = list.length >= LOOKUP_CAP || common.has(word);
      return { word, found: list, isCapped, weight: rarity(frequency, segments) };
    });
  const having = new Map(words.map(({ word, found }) => [word, new Set(found)]));
  const further = furtherLookups(words);
  const answers = yield further;
  for (const [at, { all }] of further.entries()) {
    for (const word of all) for (const seq of answers[at] ?? []) having.get(word)?.add(seq);
  }
  return { ranked: rank(words, having), capped: words.some(({ isCapped }) => isCapped) };
}

function alone(word: string): Lookup {
  return { all: [word], any: [] };
}

function isPartOf(word: string, others: readonly string[]): boolean {
  return others.some((other) => other.length > word.length && other.includes(word));
}

function zip(words: readonly string[], lists: readonly Found[]): [string, Found][] {
  return words.map((word, at) => [word, lists[at] ?? []]);
}

/** Common words among what rare ones found, and the rarest of the common ones together. */
function furtherLookups(words: readonly Word[]): Lookup[] {
  const common = words.filter(({ isCapped }) => isCapped).sort((a, b) => b.weight - a.weight);
  const any = words.filter(({ isCapped }) => !isCapped).map(({ word }) => word);
  const amongRare = any.length === 0 ? [] : common.slice(0, MAX_AMONG_RARE).map(({ word }) => ({ all: [word], any }));
  const together = common.slice(1, MAX_CONJUNCTIONS + 1).map((_, at) => ({
    all: common.slice(0, at + 2).map(({ word }) => word),
    any: [],
  }));
  return [...amongRare, ...together];
}

/** The answer of a store, from the segments it read for the best candidates. */
export function toMatches(
  { ranked, capped }: Candidates,
  read: ReadonlyMap<number, SegmentMeta>,
  limit: number,
): SegmentMatches {
  const matches = ranked.flatMap(([seq, score]) => {
    const segment = read.get(seq);
    return segment === undefined ? [] : [{ segment, score }];
  });
  return { matches: matches.slice(0, limit), found: ranked.length, capped };
}

function rank(words: readonly Word[], having: ReadonlyMap<string, ReadonlySet<number>>): [number, number][] {
  const scores = new Map<number, number>();
  for (const { word, weight } of words) {
    for (const seq of having.get(word) ?? []) scores.set(seq, (scores.get(seq) ?? 0) + weight);
  }
  return [...scores].sort(([a, scoreOfA], [b, scoreOfB]) => scoreOfB - scoreOfA || b - a);
}

/** How many segments have a word: all that were found or, past the cap, as many as their spacing suggests. */
function estimate(found: Found, segments: number): number {
  const [newest = 0, oldest = 0] = [found[0], found.at(-1)];
  if (found.length < LOOKUP_CAP) return found.length;
  return Math.min(segments, Math.round((found.length / (newest - oldest + 1)) * Math.max(newest, segments)));
}
