import type { Cleared } from './clearing.ts';
import { GROUPS, type Group, groupNumber } from './groups.ts';
import { SEGMENT_TYPES, type SegmentType } from './item.ts';
import type { Numbers } from './numbers.ts';
import { findReachable } from './reach.ts';
import { readiest } from './readiest.ts';
import { REDUNDANCY_KINDS, type Redundancy } from './redundant.ts';
import { refcountAt } from './references.ts';
import { rounded } from './rounded.ts';
import { hoursSince, reasonOf, scoresOf } from './score.ts';
import type { Contents, Window } from './window.ts';

/** A segment nothing current refers to; the higher its score, the sooner it may go. */
export interface Candidate {
  readonly id: string;
  readonly type: SegmentType;
  readonly score: number;
  readonly tokens: number;
  readonly ageHours: number;
  readonly reason: string;
  readonly redundancy?: Redundancy | undefined;
  /** Where it stands in the window. */
  readonly at: number;
}

/** Segments that may go together. */
export interface CandidateList extends Cleared {
  readonly count: number;
  /** The readiest first, and no more than can be looked at. */
  readonly best: readonly Candidate[];
}

export interface Findings extends CandidateList {
  /** Those worth stashing, by the reason they share. */
  readonly groups: ReadonlyMap<Group, CandidateList>;
}

/** The most candidates that are spelled out, of all and of each group. */
export const MOST_NAMED = 200;

/** Below this score, in thousandths, a segment is worth more in the window than out of it. */
const WORTH_STASHING = 400;

/** What may go, the readiest first; among equals the largest, then the oldest. */
export function findCandidates(window: Window): Findings {
  const { columns, redundant } = window.contents;
  const { length, type, tokens } = columns;
  const scores = scoresOf(window);
  const reached = findReachable(window);
  const groupAt = (at: number): number =>
    reached[at] === 1
      ? IN_USE
      : (scores[at] as number) <= WORTH_STASHING
        ? WORTH_ITS_PLACE
        : groupNumber(type[at] as number, redundant.kinds[at] as number);
  const sorted = sortedBy(groupAt, tokens, length);
  const measures = { scores, tokens };
  const found = GROUPS.map((group, number) => ({ group, members: sorted[number] as Members }))
    .filter(({ members }) => members.places.length > 0)
    .sort((a, b) => (a.members.places[0] as number) - (b.members.places[0] as number))
    .map(({ group, members }) => ({ group, members, best: readiest(members.places, MOST_NAMED, measures) }));
  // Whoever is among the readiest of all is among those of its group; what is worth its place comes after them.
  const named = found.flatMap(({ best }) => best);
  const others = sorted[WORTH_ITS_PLACE] as Members;
  const rest = named.length < MOST_NAMED ? readiest(others.places, MOST_NAMED, measures) : [];
  const candidate = memoized((at) => candidateAt(window, at, scores[at] as number));
  const groups = new Map(
    found.map(({ group, members, best }): [Group, CandidateList] => [
      group,
      { ...totalOf([members], length), best: best.map(candidate) },
    ]),
  );
  const all = totalOf(sorted.slice(0, IN_USE), length);
  return { ...all, best: readiest(Uint32Array.of(...named, ...rest), MOST_NAMED, measures).map(candidate), groups };
}

/** What is in no group. */
const WORTH_ITS_PLACE = GROUPS.length;
const IN_USE = GROUPS.length + 1;

interface Members {
  /** In their order. */
  readonly places: Uint32Array;
  readonly tokens: number;
}

/** By the number of their group. */
function sortedBy(groupAt: (at: number) => number, tokens: Numbers, length: number): Members[] {
  const counts = new Uint32Array(IN_USE + 1);
  const sums = new Float64Array(IN_USE + 1);
  const numbers = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) {
    const number = groupAt(at);
    numbers[at] = number;
    counts[number] = (counts[number] as number) + 1;
    sums[number] = (sums[number] as number) + (tokens[at] as number);
  }
  const groups = Array.from(counts, (count) => new Uint32Array(count));
  const next = new Uint32Array(IN_USE + 1);
  for (let at = 0; at < length; at += 1) {
    const number = numbers[at] as number;
    (groups[number] as Uint32Array)[next[number] as number] = at;
    next[number] = (next[number] as number) + 1;
  }
  return groups.map((places, number) => ({ places, tokens: sums[number] as number }));
}

function totalOf(lists: readonly Members[], length: number): Omit<CandidateList, 'best'> {
  return {
    count: lists.reduce((sum, { places }) => sum + places.length, 0),
    tokens: lists.reduce((sum, { tokens }) => sum + tokens, 0),
    first: Math.min(length, ...lists.map(({ places }) => places[0] ?? length)),
  };
}

/** Most of those named are named twice: among all, and in their group. */
function memoized<T>(make: (at: number) => T): (at: number) => T {
  const made = new Map<number, T>();
  return (at) => {
    const one = made.get(at) ?? make(at);
    made.set(at, one);
    return one;
  };
}

function candidateAt({ contents, now }: Window, at: number, score: number): Candidate {
  const { id, epoch, type, tokens, touchedAt, survivals, names } = contents.columns;
  const segmentType = SEGMENT_TYPES[type[at] as number] as SegmentType;
  const hours = hoursSince(epoch + (touchedAt[at] as number), now);
  const redundancy = redundancyAt(contents, at);
  const refcount = refcountAt(contents.columns, contents.references, at);
  return {
    id: names.ids.nameOf(id[at] as number),
    type: segmentType,
    score: score / 1000,
    tokens: tokens[at] as number,
    ageHours: rounded(hours, 100),
    reason: reasonOf({ type: segmentType, hours, survivals: survivals[at] as number, refcount, redundancy }),
    redundancy,
    at,
  };
}

function redundancyAt({ columns, redundant }: Contents, at: number): Redundancy | undefined {
  const kind = REDUNDANCY_KINDS[redundant.kinds[at] as number];
  if (kind === undefined || kind === 'none') return undefined;
  const by = redundant.by[at] as number;
  return by === 0 ? { kind } : { kind, by: columns.names.ids.nameOf(columns.id[by - 1] as number) };
}
