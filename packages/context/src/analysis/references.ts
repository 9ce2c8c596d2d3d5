import type { Item } from './item.ts';

/** Who refers to whom in a window. */
export interface References {
  /** How many name each segment; those nobody names are left out. */
  readonly named: ReadonlyMap<string, number>;
  /** How many share each topic. */
  readonly topics: ReadonlyMap<string, number>;
}

export function referencesIn(items: Iterable<Item>): References {
  const named = new Map<string, number>();
  const topics = new Map<string, number>();
  for (const { id, references, topic } of items) {
    for (const target of references.length > 1 ? new Set(references) : references) {
      if (target !== id) named.set(target, (named.get(target) ?? 0) + 1);
    }
    if (topic !== undefined) topics.set(topic, (topics.get(topic) ?? 0) + 1);
  }
  return { named, topics };
}

/** How many segments of the window refer to this one, by name or by sharing its topic. */
export function refcountOf(
  { named, topics }: References,
  segment: { readonly id: string; readonly topic?: string | undefined; readonly inWindow: boolean },
): number {
  const sharing = segment.topic === undefined ? 0 : (topics.get(segment.topic) ?? 0) - (segment.inWindow ? 1 : 0);
  return (named.get(segment.id) ?? 0) + Math.max(0, sharing);
}

/** Where segments stand that are referred to. */
export interface Links {
  /** Places of those that somebody names. */
  readonly byId: ReadonlyMap<string, number>;
  /** Places of the members of each topic. */
  readonly byTopic: ReadonlyMap<string, readonly number[]>;
}

export function linksOf(items: readonly Item[], { named }: References): Links {
  const byId = new Map<string, number>();
  const byTopic = new Map<string, number[]>();
  for (let at = 0; at < items.length; at += 1) {
    const { id, topic } = items[at] as Item;
    if (named.size > 0 && named.has(id)) byId.set(id, at);
    if (topic === undefined) continue;
    const members = byTopic.get(topic);
    if (members === undefined) byTopic.set(topic, [at]);
    else members.push(at);
  }
  return { byId, byTopic };
}
