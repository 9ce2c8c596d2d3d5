import type { Item, Subject } from './item.ts';

/** Why a segment says nothing that the window does not say elsewhere or better. */
export interface Redundancy {
  readonly kind: RedundancyKind;
  /** The segment that makes it so. */
  readonly by?: string;
}

export type RedundancyKind = 'duplicate' | 'superseded' | 'failed';

/** Failed outputs are read for a while; after so many later segments nobody goes back to them. */
const FAILURE_SETTLES_AFTER = 4;

/** What repeats a later segment, was read or run again since, or came of a call that failed a while ago. */
export function findRedundant(items: readonly Item[]): ReadonlyMap<Item, Redundancy> {
  const redundant = new Map<Item, Redundancy>();
  const texts = new Map<string, Item>();
  const subjects = new Map<string, Item[]>();
  // From the newest to the oldest: the newest of a kind is the one that stays.
  for (const [later, item] of items.toReversed().entries()) {
    const same = laterText(item, texts);
    const again = same === undefined ? laterSubject(item, subjects) : undefined;
    if (same !== undefined) redundant.set(item, { kind: 'duplicate', by: same.id });
    else if (again !== undefined) redundant.set(item, { kind: 'superseded', by: again.id });
    else if (item.failed && later >= FAILURE_SETTLES_AFTER) redundant.set(item, { kind: 'failed' });
  }
  return redundant;
}

/** The later segment with the same text. Without one, the item is remembered for those before it. */
function laterText(item: Item, texts: Map<string, Item>): Item | undefined {
  // Two messages that say the same are two moments of a talk.
  if (item.type === 'message' || item.type === 'decision') return undefined;
  const later = texts.get(item.textHash);
  // Two previews may begin alike and end differently.
  const isSame = later !== undefined && ((item.textComplete && later.textComplete) || item.tokens === later.tokens);
  if (isSame) return later;
  texts.set(item.textHash, item);
  return undefined;
}

/** So many different parts of one file are remembered: this keeps a file that was read line by line linear. */
const MOST_PARTS = 64;

/** The later segment with the same subject, whole or in a larger part. */
function laterSubject(item: Item, subjects: Map<string, Item[]>): Item | undefined {
  const { subject } = item;
  if (subject === undefined) return undefined;
  const parts = subjects.get(subject.key) ?? [];
  const covering = parts.find((part) => covers(part.subject, subject));
  if (covering === undefined && parts.length < MOST_PARTS) subjects.set(subject.key, [...parts, item]);
  return covering;
}

function covers(later: Subject | undefined, { lines }: Subject): boolean {
  if (later?.lines === undefined) return true;
  return lines !== undefined && later.lines[0] <= lines[0] && later.lines[1] >= lines[1];
}
