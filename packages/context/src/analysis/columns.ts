import { Buffer } from 'node:buffer';
import { hashOf } from '../hash.ts';
import { type Item, SEGMENT_TYPES, type SegmentType, type Subject } from './item.ts';
import { Names } from './names.ts';
import { type Numbers, numbersFrom } from './numbers.ts';

/** Since `Columns.epoch`, in milliseconds. */
export const TIME_COLUMNS = ['createdAt', 'touchedAt', 'enteredAt'] as const;

export const PLAIN_COLUMNS = [
  'survivals',
  'tokens',
  /** The order in which they were added: decides between those that entered at the same moment. */
  'rank',
  /** Of a subject that is a part of a file; see `FLAGS.partial`. */
  'fromLine',
  'toLine',
  /** Names are given by their number; 0 is none, but for ids, which everybody has. */
  'id',
  'type',
  'flags',
  'task',
  'file',
  'topic',
  'subject',
] as const;

export const NAME_COLUMNS = ['ids', 'tasks', 'files', 'topics', 'subjects'] as const;

export type ColumnName = (typeof TIME_COLUMNS)[number] | (typeof PLAIN_COLUMNS)[number];

export const FLAGS = { pinned: 1, assigned: 2, held: 4, textComplete: 8, failed: 16, partial: 32 } as const;

/**
 * Segments as columns, by their place in the window, oldest first. A project may have a hundred thousand of them: as
 * objects they cost more to make than to analyse.
 */
export interface Columns extends Readonly<Record<ColumnName, Numbers>> {
  readonly length: number;
  readonly epoch: number;
  /** Four for each place: the 128 bits of its text's hash. */
  readonly texts: Uint32Array;
  /** Numbers of the ids that segments refer to, and where those of each place begin; one more, the end, at the end. */
  readonly targets: Numbers;
  readonly targetsFrom: Numbers;
  /** Never shrink, so other columns may share them. Ids are also those referred to. */
  readonly names: Readonly<Record<(typeof NAME_COLUMNS)[number], Names>>;
}

export interface ColumnsOptions {
  /** Those of other columns, to be shared. */
  readonly names?: Columns['names'];
  /** The rank of each of the items; absent: as given. */
  readonly ranks?: readonly number[];
}

/** In their order of entering; among those of one moment, by rank. */
export function columnsOf(given: readonly Item[], { names = newNames(), ranks }: ColumnsOptions = {}): Columns {
  const order = orderOf(given, ranks);
  const items = order === undefined ? given : Array.from(order, (at) => given[at] as Item);
  const column = (read: (item: Item, at: number) => number): Numbers =>
    numbersFrom(items.length, (at) => read(items[at] as Item, at));
  const from = (at: number): number => order?.[at] ?? at;
  const ids = names.ids.numbersOf(items.map(({ id }) => id));
  const epoch = epochOf(items);
  return {
    length: items.length,
    epoch,
    createdAt: column(({ createdAt }) => createdAt - epoch),
    touchedAt: column(({ touchedAt }) => touchedAt - epoch),
    enteredAt: column(({ enteredAt }) => enteredAt - epoch),
    survivals: column(({ survivals }) => survivals),
    tokens: column(({ tokens }) => tokens),
    rank: column((_, at) => ranks?.[from(at)] ?? from(at)),
    fromLine: column(({ subject }) => subject?.lines?.[0] ?? 0),
    toLine: column(({ subject }) => subject?.lines?.[1] ?? 0),
    id: column(({ id }) => ids.get(id) as number),
    type: column(({ type }) => codeOf(type)),
    flags: column(flagsOf),
    task: named(items, names.tasks, ({ task }) => task),
    file: named(items, names.files, ({ file }) => file),
    topic: named(items, names.topics, ({ topic }) => topic),
    subject: named(items, names.subjects, ({ subject }) => subject?.key),
    texts: textsOf(items),
    ...targetsOf(items, names.ids),
    names,
  };
}

/** What stands at a place, as it was given. */
export function itemAt(columns: Columns, at: number): Item {
  const { names, epoch, flags, targets, targetsFrom } = columns;
  const has = (flag: number): boolean => ((flags[at] as number) & flag) !== 0;
  return {
    id: names.ids.nameOf(columns.id[at] as number),
    type: SEGMENT_TYPES[columns.type[at] as number] as SegmentType,
    task: nameAt(names.tasks, columns.task[at]),
    assigned: has(FLAGS.assigned),
    held: has(FLAGS.held),
    createdAt: epoch + (columns.createdAt[at] as number),
    touchedAt: epoch + (columns.touchedAt[at] as number),
    enteredAt: epoch + (columns.enteredAt[at] as number),
    pinned: has(FLAGS.pinned),
    survivals: columns.survivals[at] as number,
    file: nameAt(names.files, columns.file[at]),
    topic: nameAt(names.topics, columns.topic[at]),
    references: Array.from(targets.subarray(targetsFrom[at], targetsFrom[at + 1]), (id) => names.ids.nameOf(id)),
    tokens: columns.tokens[at] as number,
    textHash: Buffer.from(columns.texts.slice(4 * at, 4 * at + 4).buffer).toString('hex'),
    textComplete: has(FLAGS.textComplete),
    subject: subjectAt(columns, at),
    failed: has(FLAGS.failed),
  };
}

export function newNames(): Columns['names'] {
  return { ids: new Names(), tasks: new Names(), files: new Names(), topics: new Names(), subjects: new Names() };
}

/** The number of a name that a place may have, as its column has it: none is 0, and -1 what no place has. */
export function codeOfName(names: Names, name: string | undefined): number {
  return name === undefined ? 0 : (names.find([name]).get(name) ?? -2) + 1;
}

export function nameAt(names: Names, code: number | undefined): string | undefined {
  return code === undefined || code === 0 ? undefined : names.nameOf(code - 1);
}

/** Places in their order, or undefined when they are in order as given. */
function orderOf(items: readonly Item[], ranks?: readonly number[]): Uint32Array | undefined {
  const entered = (at: number): number => (items[at] as Item).enteredAt;
  const rank = (at: number): number => ranks?.[at] ?? at;
  const compare = (a: number, b: number): number => entered(a) - entered(b) || rank(a) - rank(b);
  if (items.every((_, at) => at === 0 || compare(at - 1, at) <= 0)) return undefined;
  return Uint32Array.from(items.keys()).sort(compare);
}

/** The earliest time, so that the others are small; 0 where adding it again would not be exact. */
function epochOf(items: readonly Item[]): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { createdAt, touchedAt, enteredAt } of items) {
    if (![createdAt, touchedAt, enteredAt].every(Number.isSafeInteger)) return 0;
    earliest = Math.min(earliest, createdAt, touchedAt, enteredAt);
  }
  return items.length === 0 ? 0 : earliest;
}

const CODES = new Map<string, number>(SEGMENT_TYPES.map((type, code) => [type, code]));

/** A kind that only a later version knows is a note to this one. */
function codeOf(type: SegmentType): number {
  return CODES.get(type) ?? SEGMENT_TYPES.indexOf('note');
}

function flagsOf({ pinned, assigned, held, textComplete, failed, subject }: Item): number {
  return (
    flag(pinned, FLAGS.pinned) |
    flag(assigned, FLAGS.assigned) |
    flag(held, FLAGS.held) |
    flag(textComplete, FLAGS.textComplete) |
    flag(failed, FLAGS.failed) |
    flag(subject?.lines !== undefined, FLAGS.partial)
  );
}

function flag(set: boolean, bit: number): number {
  return set ? bit : 0;
}

function named(items: readonly Item[], names: Names, nameFor: (item: Item) => string | undefined): Numbers {
  const wanted = items.map(nameFor);
  const numbers = names.numbersOf(wanted.filter((name) => name !== undefined));
  return numbersFrom(items.length, (at) => {
    const name = wanted[at];
    return name === undefined ? 0 : (numbers.get(name) as number) + 1;
  });
}

function subjectAt(columns: Columns, at: number): Subject | undefined {
  const key = nameAt(columns.names.subjects, columns.subject[at]);
  if (key === undefined) return undefined;
  const lines = [columns.fromLine[at] as number, columns.toLine[at] as number] as const;
  return { key, lines: ((columns.flags[at] as number) & FLAGS.partial) === 0 ? undefined : lines };
}

const HASH = /^[0-9a-f]{32}$/;

/** A hash of another form is hashed once more: only whether two are equal counts. */
function textsOf(items: readonly Item[]): Uint32Array {
  const hashes = items.map(({ textHash }) => (HASH.test(textHash) ? textHash : hashOf(textHash)));
  const texts = new Uint32Array(4 * items.length);
  Buffer.from(texts.buffer).set(Buffer.from(hashes.join(''), 'hex'));
  return texts;
}

function targetsOf(items: readonly Item[], ids: Names): Pick<Columns, 'targets' | 'targetsFrom'> {
  const all = items.flatMap(({ references }) => references);
  const numbers = ids.numbersOf(all);
  let next = 0;
  return {
    targets: numbersFrom(all.length, (at) => numbers.get(all[at] as string) as number),
    targetsFrom: numbersFrom(items.length + 1, (at) =>
      at === 0 ? 0 : (next += items[at - 1]?.references.length ?? 0),
    ),
  };
}
