import { estimateTokens } from '@jeeves/engine';
import { type SegmentDraft, type SegmentMeta } from '@jeeves/store';
import type { Item, SegmentType } from './analysis/item.ts';
import { hashOf } from './hash.ts';
import { decodeFacts, draftOf, itemOf } from './record.ts';

/** What a platform says about its own context. */
export interface Descriptors {
  readonly messages: readonly DescribedMessage[];
  readonly currentFile?: string | undefined;
  readonly usage: { readonly current: number; readonly limit: number };
  readonly segments: readonly DescribedSegment[];
  /** The task the platform works on. */
  readonly task?: string | undefined;
}

export interface DescribedMessage {
  /** The platform's own name for it; absent, its contents name it. */
  readonly id?: string | undefined;
  readonly role: string;
  readonly content: string;
  readonly at?: number | undefined;
}

export interface DescribedSegment {
  readonly id: string;
  readonly type: SegmentType;
  readonly preview: string;
  readonly tokens: number;
  readonly createdAt?: number | undefined;
  readonly task?: string | undefined;
  readonly file?: string | undefined;
  readonly topic?: string | undefined;
  readonly tags: readonly string[];
}

/** A described segment as it would be stored. */
export interface Entry {
  readonly draft: SegmentDraft;
  /** The platform said when it was made. */
  readonly dated: boolean;
}

/** Messages are known by their contents, segments by their ids; each stands once, at its last place. */
export function entriesOf(descriptors: Descriptors, task: string | undefined, now: number): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  const add = (entry: Entry): void => {
    entries.delete(entry.draft.segmentId);
    entries.set(entry.draft.segmentId, entry);
  };
  for (const { createdAt, preview, ...segment } of descriptors.segments) {
    const known = { ...segment, text: preview, textComplete: false, createdAt: createdAt ?? now };
    const assigned = segment.task !== undefined;
    const draft = draftOf({ ...known, tier: 'working', task: segment.task ?? task, assigned, held: false });
    add({ draft, dated: createdAt !== undefined });
  }
  for (const { id, role, content, at } of descriptors.messages) {
    const text = `${role}: ${content}`;
    const draft = draftOf({
      id: id ?? `msg_${hashOf(role, content)}`,
      type: 'message',
      text,
      textComplete: true,
      tokens: estimateTokens(text),
      createdAt: at ?? now,
      tier: 'working',
      task,
      assigned: false,
      held: false,
      tags: [],
    });
    add({ draft, dated: at !== undefined });
  }
  return entries;
}

/** How an entry looks beside what is stored of it: pins, touches and survivals are ours, the rest is the platform's. */
export function describedItem({ draft, dated }: Entry, stored: SegmentMeta | undefined): Item {
  const described = itemOf({ ...draft, projectId: '' });
  if (stored === undefined) return described;
  const createdAt = dated ? described.createdAt : stored.createdAt;
  const { held } = decodeFacts(stored.facts);
  const ours = {
    ...described,
    createdAt,
    // A preview made later than the whole text knows less than it.
    textComplete: described.textComplete || stored.textComplete,
    textHash: stored.textComplete ? stored.textHash : described.textHash,
    touchedAt: Math.max(createdAt, stored.touchedAt),
    enteredAt: held ? stored.touchedAt : createdAt,
    pinned: stored.pinned,
    survivals: stored.survivals,
  };
  if (!held) return ours;
  const { taskId: task, file, topic, references } = stored;
  return { ...ours, held, assigned: true, task, file, topic, references };
}
