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
  /** As the platform counts them; absent, they are estimated. */
  readonly tokens?: number | undefined;
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
  /** The platform said how many tokens it has. */
  readonly counted: boolean;
}

/** Which task a segment belongs to that names none itself. */
export interface Tasks {
  /** The task that the call is about: it overrules what is known of the segment. */
  readonly asked?: string | undefined;
  /** The task that is worked on now: it counts for segments that are new. */
  readonly current?: string | undefined;
}

/** Messages are known by their contents, segments by their ids; each stands once, at its last place. */
export function entriesOf(
  descriptors: Descriptors,
  { asked, current }: Tasks,
  now: number,
): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  const task = asked ?? current;
  const add = (entry: Entry): void => {
    entries.delete(entry.draft.segmentId);
    entries.set(entry.draft.segmentId, entry);
  };
  for (const { createdAt, preview, ...segment } of descriptors.segments) {
    const known = { ...segment, text: preview, textComplete: false, createdAt: createdAt ?? now };
    const assigned = segment.task !== undefined;
    const draft = draftOf({ ...known, tier: 'working', task: segment.task ?? task, assigned, held: false });
    add({ draft, dated: createdAt !== undefined, counted: true });
  }
  for (const { id, role, content, tokens, at } of descriptors.messages) {
    const text = `${role}: ${content}`;
    const draft = draftOf({
      id: id ?? `msg_${hashOf(role, content)}`,
      type: 'message',
      text,
      textComplete: true,
      tokens: tokens ?? estimateTokens(text),
      createdAt: at ?? now,
      tier: 'working',
      task,
      assigned: false,
      held: false,
      tags: [],
    });
    add({ draft, dated: at !== undefined, counted: tokens !== undefined });
  }
  return entries;
}

/** How an entry looks beside what is stored of it: pins, touches and survivals are ours, the rest is the platform's. */
export function describedItem({ draft, dated }: Entry, stored: SegmentMeta | undefined, { asked }: Tasks): Item {
  const described = itemOf({ ...draft, projectId: '' });
  if (stored === undefined) return described;
  const createdAt = dated ? described.createdAt : stored.createdAt;
  const { held } = decodeFacts(stored.facts);
  // The task of today says nothing about a segment that came into the window with another one.
  const moves = described.assigned || asked !== undefined || stored.taskId === undefined;
  const ours = {
    ...described,
    task: moves ? described.task : stored.taskId,
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
