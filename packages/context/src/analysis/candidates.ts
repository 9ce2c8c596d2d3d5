import type { Cleared } from './clearing.ts';
import { type Group, groupOf } from './groups.ts';
import type { Item, SegmentType } from './item.ts';
import { findReachable } from './reach.ts';
import type { Redundancy } from './redundant.ts';
import { rounded } from './rounded.ts';
import { hoursSince, reasonOf, scoreOf } from './score.ts';
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

interface Free {
  readonly item: Item;
  readonly at: number;
  readonly score: number;
}

/** What may go, the readiest first; among equals the largest, then the oldest. */
export function findCandidates(window: Window): Findings {
  const reached = findReachable(window);
  const free: Free[] = [];
  const groups = new Map<Group, Free[]>();
  for (const [at, item] of window.items.entries()) {
    if (reached.has(item)) continue;
    const one = { item, at, score: scoreOf(window, item) };
    free.push(one);
    if (one.score <= WORTH_STASHING) continue;
    const group = groupOf(item.type, window.redundant.get(item)?.kind);
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [one]);
    else members.push(one);
  }
  return {
    ...listOf(window, free),
    groups: new Map(Array.from(groups, ([group, members]) => [group, listOf(window, members)])),
  };
}

/** `free` is in the order of the window. */
function listOf(window: Window, free: readonly Free[]): CandidateList {
  const readiest = [...free].sort((a, b) => b.score - a.score || b.item.tokens - a.item.tokens || a.at - b.at);
  return {
    count: free.length,
    tokens: free.reduce((sum, { item }) => sum + item.tokens, 0),
    first: free[0]?.at ?? window.items.length,
    best: readiest.slice(0, MOST_NAMED).map((one) => candidateOf(window, one)),
  };
}

function candidateOf(window: Window, { item, at, score }: Free): Candidate {
  return {
    id: item.id,
    type: item.type,
    score: score / 1000,
    tokens: item.tokens,
    ageHours: rounded(hoursSince(item.touchedAt, window.now), 100),
    reason: reasonOf(window, item),
    redundancy: window.redundant.get(item),
    at,
  };
}
