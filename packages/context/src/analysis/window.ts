import type { Item } from './item.ts';
import { findRedundant, type Redundancy } from './redundant.ts';
import { type Links, linksOf, type References, refcountOf, referencesIn } from './references.ts';
import { type Tally, tallyOf } from './usage.ts';

/** What is in an agent's window, and what its work is about right now. */
export interface Window {
  readonly contents: Contents;
  readonly currentTask?: string | undefined;
  readonly currentFile?: string | undefined;
  /** Whole minutes, so that two calls in the same minute agree to the last digit. */
  readonly now: number;
}

/**
 * The segments of a window, oldest first, and what follows from them alone: found out when somebody asks, and kept, so
 * that a large window is gone through once and not with every call.
 */
export class Contents {
  readonly items: readonly Item[];
  #redundant?: ReadonlyMap<number, Redundancy>;
  #references?: References;
  #refcounts?: Uint32Array;
  #links?: Links;
  #tally?: Tally | undefined;
  #recent?: ReadonlySet<string>;
  #sums?: Float64Array;

  constructor(items: readonly Item[]) {
    this.items = isOrdered(items) ? items : [...items].sort((a, b) => a.enteredAt - b.enteredAt);
  }

  /** To be called when items were pinned or unpinned: all else stands. */
  recount(): void {
    this.#tally = undefined;
  }

  get redundant(): ReadonlyMap<number, Redundancy> {
    return (this.#redundant ??= findRedundant(this.items));
  }

  get references(): References {
    return (this.#references ??= referencesIn(this.items));
  }

  /** By place. */
  get refcounts(): Uint32Array {
    return (this.#refcounts ??= refcountsOf(this.items, this.references));
  }

  get links(): Links {
    return (this.#links ??= linksOf(this.items, this.references));
  }

  get tally(): Tally {
    return (this.#tally ??= tallyOf(this.items));
  }

  /** Ids of the messages that are too recent to go. */
  get recent(): ReadonlySet<string> {
    return (this.#recent ??= lastMessages(this.items));
  }

  /** How many tokens stand at each place and after it; one more place, with none, at the end. */
  get sums(): Float64Array {
    return (this.#sums ??= tokensFrom(this.items));
  }
}

function refcountsOf(items: readonly Item[], references: References): Uint32Array {
  const counts = new Uint32Array(items.length);
  for (let at = 0; at < items.length; at += 1) {
    const { id, topic } = items[at] as Item;
    counts[at] = refcountOf(references, { id, topic, inWindow: true });
  }
  return counts;
}

function isOrdered(items: readonly Item[]): boolean {
  return items.every((item, at) => at === 0 || (items[at - 1] as Item).enteredAt <= item.enteredAt);
}

const RECENT_MESSAGES = 10;

function lastMessages(items: readonly Item[]): ReadonlySet<string> {
  const recent = new Set<string>();
  for (let at = items.length - 1; at >= 0 && recent.size < RECENT_MESSAGES; at -= 1) {
    const { id, type } = items[at] as Item;
    if (type === 'message') recent.add(id);
  }
  return recent;
}

function tokensFrom(items: readonly Item[]): Float64Array {
  const sums = new Float64Array(items.length + 1);
  for (let at = items.length - 1; at >= 0; at -= 1) {
    sums[at] = (sums[at + 1] as number) + (items[at] as Item).tokens;
  }
  return sums;
}
