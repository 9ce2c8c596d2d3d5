import { withoutDot } from './facts.ts';
import type { Item } from './item.ts';
import type { Window } from './window.ts';

/** For how long a decision is fresh. */
const FRESH_DECISION_MS = 3_600_000;

const RECENT_MESSAGES = 10;

/**
 * Which segments are in use: the roots (pins, the current task and file, recent messages, fresh decisions) and whatever
 * they lead to. What is redundant is no root of a task or file and no part of a topic: the segment that made it so
 * stands for it. A pin or an explicit reference keeps it all the same.
 */
export function findReachable(window: Window): ReadonlySet<Item> {
  const { redundant, references } = window;
  const reached = new Set(rootsOf(window));
  const topics = new Set<string>();
  // A set also iterates over what is added to it on the way.
  for (const { references: ids, topic } of reached) {
    for (const id of ids) {
      const target = references.byId.get(id);
      if (target !== undefined) reached.add(target);
    }
    if (topic === undefined || topics.has(topic)) continue;
    topics.add(topic);
    for (const member of references.byTopic.get(topic) ?? []) if (!redundant.has(member)) reached.add(member);
  }
  return reached;
}

function rootsOf({ items, redundant, currentTask, currentFile, now }: Window): Item[] {
  const file = currentFile === undefined ? undefined : withoutDot(currentFile);
  const recent = new Set(items.filter(({ type }) => type === 'message').slice(-RECENT_MESSAGES));
  const isKept = (item: Item): boolean =>
    item.pinned || recent.has(item) || (item.type === 'decision' && now - item.createdAt < FRESH_DECISION_MS);
  const isInWork = (item: Item): boolean =>
    (currentTask !== undefined && item.assigned && item.task === currentTask) ||
    (file !== undefined && item.file !== undefined && withoutDot(item.file) === file);
  return items.filter((item) => isKept(item) || (isInWork(item) && !redundant.has(item)));
}
