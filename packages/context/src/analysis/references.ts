import type { Columns } from './columns.ts';

/** How many segments of a window refer to each other, by the numbers of names. */
export interface References {
  /** How many name each id. */
  readonly named: Uint32Array;
  /** How many share each topic; at 0, those of none. */
  readonly topics: Uint32Array;
}

export function referencesIn({ length, id, topic, targets, targetsFrom, names }: Columns): References {
  const named = new Uint32Array(names.ids.length);
  const topics = new Uint32Array(names.topics.length + 1);
  // One more than the place that named an id last: each segment counts once, however often it does.
  const namedBy = new Uint32Array(names.ids.length);
  for (let at = 0; at < length; at += 1) {
    const start = targetsFrom[at] as number;
    const end = targetsFrom[at + 1] as number;
    for (let next = start; next < end; next += 1) {
      const target = targets[next] as number;
      if (target === id[at] || namedBy[target] === at + 1) continue;
      if (end - start > 1) namedBy[target] = at + 1;
      named[target] = (named[target] as number) + 1;
    }
    const shared = topic[at] as number;
    topics[shared] = (topics[shared] as number) + 1;
  }
  return { named, topics };
}

/** How many segments of the window refer to the one at a place, by name or by sharing its topic. */
export function refcountAt({ id, topic }: Columns, { named, topics }: References, at: number): number {
  const shared = topic[at] as number;
  return (named[id[at] as number] as number) + (shared === 0 ? 0 : (topics[shared] as number) - 1);
}

/** A segment, whether in the window or not. */
export interface Referred {
  readonly id: string;
  readonly topic?: string | undefined;
  readonly inWindow: boolean;
}

/** The same of segments some of which may be elsewhere. */
export function refcountsFor(
  { names }: Columns,
  { named, topics }: References,
  segments: readonly Referred[],
): readonly number[] {
  const ids = names.ids.find(segments.map(({ id }) => id));
  const codes = names.topics.find(segments.flatMap(({ topic }) => topic ?? []));
  return segments.map(({ id, topic, inWindow }) => {
    const sharing = topics[(codes.get(topic ?? '') ?? -2) + 1] ?? 0;
    const others = topic === undefined ? 0 : Math.max(0, sharing - (inWindow ? 1 : 0));
    return (named[ids.get(id) ?? -1] ?? 0) + others;
  });
}

/** Where segments stand that are referred to. */
export interface Links {
  /** One more than the place of each id; 0 when it is not in the window. */
  readonly placeOf: Uint32Array;
  /** Places of the members of each topic, one topic after the other, and where each begins. */
  readonly members: Uint32Array;
  readonly membersFrom: Uint32Array;
}

export function linksOf({ length, id, topic, names }: Columns, { named, topics }: References): Links {
  const placeOf = new Uint32Array(names.ids.length);
  const membersFrom = new Uint32Array(topics.length + 1);
  for (let one = 1; one < topics.length; one += 1) {
    membersFrom[one + 1] = (membersFrom[one] as number) + (topics[one] as number);
  }
  const members = new Uint32Array(membersFrom[topics.length] as number);
  const next = membersFrom.slice();
  for (let at = 0; at < length; at += 1) {
    if (named[id[at] as number] !== 0) placeOf[id[at] as number] = at + 1;
    const shared = topic[at] as number;
    if (shared === 0) continue;
    members[next[shared] as number] = at;
    next[shared] = (next[shared] as number) + 1;
  }
  return { placeOf, members, membersFrom };
}
