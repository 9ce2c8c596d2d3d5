import type { SegmentMeta } from '@jeeves/engine';
import { merge, without, withoutUnused } from './analysis/arrange.ts';
import { type Columns, columnsOf, FLAGS, itemAt } from './analysis/columns.ts';
import type { Item } from './analysis/item.ts';
import { increased, type Numbers, withNumber } from './analysis/numbers.ts';
import { Contents } from './analysis/window.ts';
import { itemOf } from './record.ts';

/** The working segments of a project as a process knows them, brought up to date change by change. */
export class WorkingSet {
  #contents: Contents;
  /** How many segments left since names that nobody has were dropped. */
  #left = 0;

  constructor(columns: Columns) {
    this.#contents = new Contents(columns);
  }

  get contents(): Contents {
    return this.#contents;
  }

  /** Whoever is here has survived the collections since. Nothing else follows from it, so the contents stand. */
  growOlder(collections: number): void {
    if (collections === 0) return;
    const { columns } = this.#contents;
    this.#contents.retouch({ ...columns, survivals: increased(columns.survivals, collections) });
  }

  /** What happens to the stash does not change the contents, and a pin little of them. */
  apply(metas: readonly SegmentMeta[]): void {
    const { columns } = this.#contents;
    const places = placesOf(columns, metas);
    const touched = new Map<number, Item>();
    const gone = new Set<number>();
    const added: Item[] = [];
    const ranks: number[] = [];
    const later = counter(() => columns.rank);
    for (const meta of metas) {
      const at = places.get(meta.segmentId);
      const item = meta.tier === 'working' ? itemOf(meta) : undefined;
      if (item !== undefined && at !== undefined && isSame(itemAt(columns, at), item)) {
        touched.set(at, item);
        continue;
      }
      if (at !== undefined) gone.add(at);
      if (item === undefined) continue;
      added.push(item);
      // Changes come in the order of the store. What enters anew takes its place by that, as for one who reads all of it.
      const stays = at !== undefined && columns.epoch + (columns.enteredAt[at] as number) === item.enteredAt;
      ranks.push(stays ? (columns.rank[at] as number) : later());
    }
    if (touched.size > 0) this.#contents.retouch(retouched(columns, touched));
    if (gone.size + added.length === 0) return;
    const stayed = without(
      this.#contents.columns,
      [...gone].sort((a, b) => a - b),
    );
    this.#contents = new Contents(
      this.#tidy(merge(stayed, columnsOf(added, { names: columns.names, ranks })), gone.size),
    );
  }

  /** The columns with no name that nobody has. */
  compact(): Columns {
    const { columns } = this.#contents;
    return this.#left === 0 ? columns : withoutUnused(columns);
  }

  #tidy(columns: Columns, gone: number): Columns {
    this.#left += gone;
    if (this.#left <= columns.length + KEPT_NAMES) return columns;
    this.#left = 0;
    return withoutUnused(columns);
  }
}

/** Numbers above all of these, one after the other; looked for when the first is wanted. */
function counter(numbers: () => Numbers): () => number {
  let last: number | undefined;
  return () => {
    if (last === undefined) {
      last = -1;
      for (const number of numbers()) last = Math.max(last, number);
    }
    last += 1;
    return last;
  };
}

/** Dropping names takes longer than keeping some. */
const KEPT_NAMES = 1000;

/** Where those of these segments stand that are in the columns. */
function placesOf({ id, length, names }: Columns, metas: readonly SegmentMeta[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const idOf = new Map<number, string>();
  for (const [segmentId, number] of names.ids.find(metas.map((meta) => meta.segmentId))) {
    // Whoever wrote a digest has numbered ids by their places.
    if (number < length && id[number] === number) places.set(segmentId, number);
    else idOf.set(number, segmentId);
  }
  if (idOf.size === 0) return places;
  const isWanted = new Uint8Array(names.ids.length);
  for (const number of idOf.keys()) isWanted[number] = 1;
  for (let at = 0; at < length; at += 1) {
    const number = id[at] as number;
    if (isWanted[number] === 1) places.set(idOf.get(number) as string, at);
  }
  return places;
}

/** The columns with the pins, touches and survivals of these items. */
function retouched(columns: Columns, items: ReadonlyMap<number, Item>): Columns {
  const { createdAt, enteredAt, epoch } = columns;
  let { flags, touchedAt, survivals } = columns;
  if (touchedAt === createdAt || touchedAt === enteredAt) touchedAt = touchedAt.slice();
  for (const [at, item] of items) {
    const others = (flags[at] as number) & ~FLAGS.pinned;
    flags = withNumber(flags, at, others | (item.pinned ? FLAGS.pinned : 0));
    touchedAt = withNumber(touchedAt, at, item.touchedAt - epoch);
    survivals = withNumber(survivals, at, item.survivals);
  }
  return { ...columns, flags, touchedAt, survivals };
}

/** What may not change without moving a segment or changing what refers to what. */
const ESSENCE = [
  'createdAt',
  'enteredAt',
  'type',
  'task',
  'assigned',
  'held',
  'file',
  'topic',
  'tokens',
  'textHash',
  'textComplete',
  'failed',
] as const;

function isSame(before: Item, after: Item): boolean {
  if (!ESSENCE.every((name) => before[name] === after[name])) return false;
  return partsOf(before) === partsOf(after);
}

function partsOf({ references, subject }: Item): string {
  return JSON.stringify([references, subject?.key, subject?.lines]);
}
