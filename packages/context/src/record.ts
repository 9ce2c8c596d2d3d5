import type { SegmentDraft, SegmentMeta } from '@jeeves/store';
import { factsOf } from './analysis/facts.ts';
import { type Item, SEGMENT_TYPES, type SegmentType } from './analysis/item.ts';
import { hashOf } from './hash.ts';

/** What a new segment is made of. */
export interface NewSegment {
  readonly id: string;
  readonly type: SegmentType;
  readonly text: string;
  /** False when the text is a preview of it. */
  readonly textComplete: boolean;
  readonly tokens: number;
  readonly createdAt: number;
  readonly tier: 'working' | 'stashed';
  readonly task?: string | undefined;
  /** See `Item.assigned`. */
  readonly assigned: boolean;
  /** See `Item.held`. */
  readonly held: boolean;
  readonly file?: string | undefined;
  readonly topic?: string | undefined;
  readonly tags: readonly string[];
}

const REFERENCE = 'ref:';

export function draftOf(segment: NewSegment): SegmentDraft {
  const { id, type, text, textComplete, tokens, createdAt, tier, task, topic, tags } = segment;
  const facts = factsOf(segment);
  return {
    segmentId: id,
    type,
    text,
    textComplete,
    textHash: hashOf(text),
    tokens,
    createdAt,
    // When it was made is no secret: sending it again must not make it look used.
    touchedAt: createdAt,
    tier,
    pinned: false,
    generation: 'young',
    survivals: 0,
    taskId: task,
    file: facts.file,
    topic,
    tags,
    references: tags.filter((tag) => tag.startsWith(REFERENCE)).map((tag) => tag.slice(REFERENCE.length)),
    facts: encodeFacts({ ...facts, assigned: segment.assigned, held: segment.held }),
  };
}

export function itemOf(meta: SegmentMeta): Item {
  const { subject, failed, assigned, held } = decodeFacts(meta.facts);
  return {
    id: meta.segmentId,
    type: typeOf(meta.type),
    task: meta.taskId,
    assigned,
    held,
    createdAt: meta.createdAt,
    touchedAt: meta.touchedAt,
    enteredAt: enteredAt(meta, held),
    pinned: meta.pinned,
    survivals: meta.survivals,
    file: meta.file,
    topic: meta.topic,
    references: meta.references,
    tokens: meta.tokens,
    textHash: meta.textHash,
    textComplete: meta.textComplete,
    subject,
    failed,
  };
}

/** What was brought back stands where it was put, not where it once came from. */
export function enteredAt(meta: SegmentMeta, held: boolean = decodeFacts(meta.facts).held): number {
  return held ? meta.touchedAt : meta.createdAt;
}

/** A type that only a later version knows is a note to this one. */
function typeOf(type: string): SegmentType {
  return SEGMENT_TYPES.find((known) => known === type) ?? 'note';
}

interface Encoded {
  /** Described, not held; `t` when its task was named all the same. */
  readonly d?: 1;
  readonly t?: 1;
  readonly f?: 1;
  readonly s?: string;
  readonly l?: readonly [number, number];
}

type Known = Pick<Item, 'subject' | 'failed' | 'assigned' | 'held'>;

/** What is stored beside a segment. What is held is assigned; nothing remarkable is the empty text. */
export function encodeFacts({ subject, failed, assigned, held }: Known): string {
  if (held && !failed && subject === undefined) return '';
  const encoded: Encoded = {
    ...(!held && { d: 1 }),
    ...(!held && assigned && { t: 1 }),
    ...(failed && { f: 1 }),
    ...(subject !== undefined && { s: subject.key }),
    ...(subject?.lines !== undefined && { l: subject.lines }),
  };
  return JSON.stringify(encoded);
}

const NOTHING: Known = { failed: false, assigned: true, held: true };

export function decodeFacts(facts: string | undefined): Known {
  if (facts === undefined || facts === '') return NOTHING;
  const { d, t, f, s, l } = JSON.parse(facts) as Encoded;
  const subject = s === undefined ? undefined : { key: s, lines: l };
  return { subject, failed: f === 1, assigned: d !== 1 || t === 1, held: d !== 1 };
}
