import { type Columns, FLAGS } from './columns.ts';
import { SEGMENT_TYPES } from './item.ts';

/** Why a segment says nothing that the window does not say elsewhere or better. */
export interface Redundancy {
  readonly kind: RedundancyKind;
  /** The segment that makes it so. */
  readonly by?: string;
}

export type RedundancyKind = Exclude<(typeof REDUNDANCY_KINDS)[number], 'none'>;

export const REDUNDANCY_KINDS = ['none', 'duplicate', 'superseded', 'failed'] as const;

/** By place. */
export interface Redundancies {
  /** The number of the kind, 0 for none. */
  readonly kinds: Uint8Array;
  /** One more than the place of the segment that makes it so; 0 for nobody. */
  readonly by: Uint32Array;
}

const [NOT_REDUNDANT, DUPLICATE, SUPERSEDED, FAILED] = [0, 1, 2, 3] as const;
const NOBODY = 0;

/** Failed outputs are read for a while; after so many later segments nobody goes back to them. */
const FAILURE_SETTLES_AFTER = 4;

/** What repeats a later segment, was read or run again since, or came of a call that failed a while ago. */
export function findRedundant(columns: Columns): Redundancies {
  const { length, flags } = columns;
  const kinds = new Uint8Array(length);
  const by = new Uint32Array(length);
  const laterText = createTexts(columns);
  const laterSubject = createSubjects(columns);
  const settled = length - FAILURE_SETTLES_AFTER;
  // From the newest to the oldest: the newest of a kind is the one that stays. Each step does the same, whatever it
  // finds: a cold process makes the code of a loop anew when it comes to a step that it has not seen.
  for (let at = length - 1; at >= 0; at -= 1) {
    const same = laterText(at);
    const later = same === NOBODY ? laterSubject(at) : same;
    const failed = (flags[at] as number) & (at < settled ? FLAGS.failed : 0);
    by[at] = later;
    kinds[at] = same !== NOBODY ? DUPLICATE : later !== NOBODY ? SUPERSEDED : failed !== 0 ? FAILED : NOT_REDUNDANT;
  }
  return { kinds, by };
}

/** Two messages that say the same are two moments of a talk. */
const SPOKEN = Uint8Array.from(SEGMENT_TYPES, (type) => (type === 'message' || type === 'decision' ? 1 : 0));

/** Tells of one place after the other where the same text stands later. A table of places, found by their hashes. */
function createTexts({ length, texts, type, flags, tokens }: Columns): (at: number) => number {
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(1.25 * length + 2)));
  const mask = table.length - 1;
  // Two previews may begin alike and end differently.
  const isSame = (one: number, other: number): boolean =>
    ((flags[one] as number) & (flags[other] as number) & FLAGS.textComplete) !== 0 || tokens[one] === tokens[other];
  return (at) => {
    if (SPOKEN[type[at] as number] === 1) return NOBODY;
    let slot = (texts[4 * at] as number) & mask;
    for (let later = table[slot] as number; later !== NOBODY; later = table[slot] as number) {
      if (hasText(texts, later - 1, at)) {
        if (isSame(at, later - 1)) return later;
        break;
      }
      slot = (slot + 1) & mask;
    }
    table[slot] = at + 1;
    return NOBODY;
  };
}

function hasText(texts: Uint32Array, one: number, other: number): boolean {
  for (let part = 0; part < 4; part += 1) if (texts[4 * one + part] !== texts[4 * other + part]) return false;
  return true;
}

/** Of how many parts of one file it is remembered that they were read: keeps a file read line by line linear. */
const MOST_PARTS = 64;

/** Tells of one place after the other where its subject stands later, whole or in a larger part. */
function createSubjects({ subject, names, flags, fromLine, toLine }: Columns): (at: number) => number {
  const latest = new Uint32Array(names.subjects.length + 1);
  /** Those before the latest that it does not cover. */
  const earlier = new Map<number, number[]>();
  const isPart = (at: number): boolean => ((flags[at] as number) & FLAGS.partial) !== 0;
  const covers = (later: number, at: number): boolean => {
    if (!isPart(later)) return true;
    if (!isPart(at)) return false;
    return (
      (fromLine[later] as number) <= (fromLine[at] as number) && (toLine[later] as number) >= (toLine[at] as number)
    );
  };
  return (at) => {
    const key = subject[at] as number;
    if (key === 0) return NOBODY;
    const later = latest[key] as number;
    if (later === NOBODY) {
      latest[key] = at + 1;
      return NOBODY;
    }
    if (covers(later - 1, at)) return later;
    const parts = earlier.get(key) ?? [];
    const part = parts.find((one) => covers(one, at));
    if (part !== undefined) return part + 1;
    if (parts.length < MOST_PARTS - 1) earlier.set(key, [...parts, at]);
    return NOBODY;
  };
}
