import type { Item } from './item.ts';

/** Which segments of a window refer to each other. */
export interface References {
  readonly byId: ReadonlyMap<string, Item>;
  /** How many segments name each id, itself not counted. */
  readonly named: ReadonlyMap<string, number>;
  readonly byTopic: ReadonlyMap<string, readonly Item[]>;
}

export function referencesIn(items: readonly Item[]): References {
  const byId = new Map<string, Item>();
  const named = new Map<string, number>();
  const byTopic = new Map<string, Item[]>();
  for (const item of items) {
    byId.set(item.id, item);
    // Each segment counts once, however often it names the same other one.
    for (const id of new Set(item.references)) if (id !== item.id) named.set(id, (named.get(id) ?? 0) + 1);
    if (item.topic === undefined) continue;
    const members = byTopic.get(item.topic);
    if (members === undefined) byTopic.set(item.topic, [item]);
    else members.push(item);
  }
  return { byId, named, byTopic };
}

/** How many segments of the window refer to one, by name or by sharing its topic. It may itself be outside of it. */
export function refcountOf(
  { byId, named, byTopic }: References,
  { id, topic }: { readonly id: string; readonly topic?: string | undefined },
): number {
  const sharing = topic === undefined ? 0 : (byTopic.get(topic)?.length ?? 0);
  const itself = topic !== undefined && byId.get(id)?.topic === topic ? 1 : 0;
  return (named.get(id) ?? 0) + sharing - itself;
}
