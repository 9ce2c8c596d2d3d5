import type { Item, Subject } from './item.ts';

/** Why a segment says nothing that the window does not say elsewhere or better. */
export interface Redundancy {
  readonly kind: 'duplicate' | 'superseded' | 'failed';
  /** The segment that makes it so. */
  readonly by?: string;
}

/** Failed outputs are read for a while; after so many later segments nobody goes back to them. */
const FAILURE_SETTLES_AFTER = 4;

/** What repeats a later segment, was read or run again since, or came of a call that failed a while ago; by index. */
export function findRedundant(items: readonly Item[]): ReadonlyMap<number, Redundancy> {
  const found = new Map<number, Redundancy>();
  const texts = new Map<string, Item>();
  const subjects = new Map<string, Item[]>();
  // From the newest to the oldest: the newest of a kind is the one that stays.
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at] as Item;
    const redundancy = repeats(item, texts) ?? wasRenewed(item, subjects) ?? failedBefore(item, items.length - 1 - at);
    if (redundancy !== undefined) found.set(at, redundancy);
  }
  return found;
}

function repeats(item: Item, texts: Map<string, Item>): Redundancy | undefined {
  // Two messages that say the same are two moments of a talk.
  if (item.type === 'message' || item.type === 'decision') return undefined;
  const later = texts.get(item.textHash);
  if (later !== undefined && isSameText(item, later)) return { kind: 'duplicate', by: later.id };
  texts.set(item.textHash, item);
  return undefined;
}

/** Two previews may begin alike and end differently. */
function isSameText(one: Item, other: Item): boolean {
  return (one.textComplete && other.textComplete) || one.tokens === other.tokens;
}

function wasRenewed(item: Item, subjects: Map<string, Item[]>): Redundancy | undefined {
  const { subject } = item;
  if (subject === undefined) return undefined;
  const later = subjects.get(subject.key);
  const by = later?.find((candidate) => covers(candidate.subject, subject));
  if (by !== undefined) return { kind: 'superseded', by: by.id };
  if (later === undefined) subjects.set(subject.key, [item]);
  else if (later.length < MOST_PARTS) later.push(item);
  return undefined;
}

/** Of how many parts of one file it is remembered that they were read: keeps a file read line by line linear. */
const MOST_PARTS = 64;

function covers(later: Subject | undefined, earlier: Subject): boolean {
  if (later?.lines === undefined) return true;
  if (earlier.lines === undefined) return false;
  return later.lines[0] <= earlier.lines[0] && later.lines[1] >= earlier.lines[1];
}

function failedBefore({ failed }: Item, laterSegments: number): Redundancy | undefined {
  return failed && laterSegments >= FAILURE_SETTLES_AFTER ? { kind: 'failed' } : undefined;
}
