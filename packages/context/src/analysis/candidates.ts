import type { Cleared } from './clearing.ts';
import { type Group, groupOf } from './groups.ts';
import type { Item, SegmentType } from './item.ts';
import { findReachable } from './reach.ts';
import { type Measures, readiest } from './readiest.ts';
import type { Redundancy } from './redundant.ts';
import { rounded } from './rounded.ts';
import { ageHours, reasonOf, type Standing, scoreOf } from './score.ts';
import type { Window } from './window.ts';

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
  const { items, redundant } = window.contents;
  const reached = findReachable(window);
  const scores = new Uint16Array(items.length);
  const all: number[] = [];
  const groups = new Map<Group, number[]>();
  for (let at = 0; at < items.length; at += 1) {
    if (reached[at] === 1) continue;
    const item = items[at] as Item;
    const score = Math.round(1000 * scoreOf(item, standingOf(window, at)));
    scores[at] = score;
    all.push(at);
    if (score <= WORTH_STASHING) continue;
    const group = groupOf(item.type, redundant.get(at));
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [at]);
    else members.push(at);
  }
  const measures: Measures = { scores, tokens: (at) => (items[at] as Item).tokens };
  const listed = (places: readonly number[]): CandidateList => list(window, places, measures);
  return { ...listed(all), groups: new Map([...groups].map(([group, places]) => [group, listed(places)])) };
}

function list(window: Window, places: readonly number[], measures: Measures): CandidateList {
  return {
    count: places.length,
    tokens: places.reduce((sum, at) => sum + measures.tokens(at), 0),
    first: places[0] ?? window.contents.items.length,
    best: readiest(places, MOST_NAMED, measures).map((at) => candidateAt(window, at, measures.scores[at] as number)),
  };
}

function candidateAt(window: Window, at: number, score: number): Candidate {
  const item = window.contents.items[at] as Item;
  const standing = standingOf(window, at);
  return {
    id: item.id,
    type: item.type,
    score: score / 1000,
    tokens: item.tokens,
    ageHours: rounded(ageHours(item, window.now), 100),
    reason: reasonOf(item, standing),
    redundancy: standing.redundancy,
    at,
  };
}

function standingOf({ contents, now }: Window, at: number): Standing {
  return { now, refcount: contents.refcounts[at] as number, redundancy: contents.redundant.get(at) };
}
