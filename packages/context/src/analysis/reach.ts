import { withoutDot } from './facts.ts';
import type { Item } from './item.ts';
import type { Window } from './window.ts';

/** For how long a decision is fresh. */
const FRESH_DECISION_MS = 3_600_000;

/**
 * Which segments are in use, by place: the roots (pins, the current task and file, recent messages, fresh decisions) and
 * whatever they lead to. What is redundant is no root of a task or file and no part of a topic: the segment that made it
 * so stands for it. A pin or an explicit reference keeps it all the same.
 */
export function findReachable(window: Window): Uint8Array {
  const { items, redundant, links } = window.contents;
  const reached = new Uint8Array(items.length);
  const waiting: number[] = [];
  const reach = (at: number): void => {
    if (reached[at] === 1) return;
    reached[at] = 1;
    waiting.push(at);
  };
  const isRoot = rootsOf(window);
  for (let at = 0; at < items.length; at += 1) if (isRoot(items[at] as Item, redundant.has(at))) reach(at);
  const topics = new Set<string>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { references, topic } = items[at] as Item;
    for (const id of references) {
      const target = links.byId.get(id);
      if (target !== undefined) reach(target);
    }
    // Whoever comes first reaches the whole topic.
    if (topic === undefined || topics.has(topic)) continue;
    topics.add(topic);
    for (const member of links.byTopic.get(topic) ?? []) if (!redundant.has(member)) reach(member);
  }
  return reached;
}

function rootsOf({ contents, currentTask, currentFile, now }: Window): (item: Item, isRedundant: boolean) => boolean {
  const { recent } = contents;
  const file = currentFile === undefined ? undefined : withoutDot(currentFile);
  return (item, isRedundant) => {
    if (item.pinned) return true;
    if (item.type === 'message' && recent.has(item.id)) return true;
    if (item.type === 'decision' && now - item.createdAt < FRESH_DECISION_MS) return true;
    if (isRedundant) return false;
    if (currentTask !== undefined && item.assigned && item.task === currentTask) return true;
    return file !== undefined && item.file !== undefined && withoutDot(item.file) === file;
  };
}
