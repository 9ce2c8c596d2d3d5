import type { Columns } from './columns.ts';
import { SEGMENT_TYPES } from './item.ts';
import { findRedundant, type Redundancies } from './redundant.ts';
import { type Links, linksOf, type References, referencesIn } from './references.ts';
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
  #columns: Columns;
  #redundant?: Redundancies;
  #references?: References;
  #links?: Links;
  #tally?: Tally | undefined;
  #recent?: readonly number[];
  #sums?: Float64Array;

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  get columns(): Columns {
    return this.#columns;
  }

  /** The same segments, of which some were pinned, touched or survived a collection: all else stands. */
  retouch(columns: Columns): void {
    this.#columns = columns;
    this.#tally = undefined;
  }

  get redundant(): Redundancies {
    return (this.#redundant ??= findRedundant(this.columns));
  }

  get references(): References {
    return (this.#references ??= referencesIn(this.columns));
  }

  get links(): Links {
    return (this.#links ??= linksOf(this.columns, this.references));
  }

  get tally(): Tally {
    return (this.#tally ??= tallyOf(this.columns));
  }

  /** Places of the messages that are too recent to go. */
  get recent(): readonly number[] {
    return (this.#recent ??= lastMessages(this.columns));
  }

  /** How many tokens stand at each place and after it; one more place, with none, at the end. */
  get sums(): Float64Array {
    return (this.#sums ??= tokensFrom(this.columns));
  }
}

const RECENT_MESSAGES = 10;

function lastMessages({ length, type }: Columns): readonly number[] {
  const message = SEGMENT_TYPES.indexOf('message');
  const recent: number[] = [];
  for (let at = length - 1; at >= 0 && recent.length < RECENT_MESSAGES; at -= 1) {
    if (type[at] === message) recent.push(at);
  }
  return recent;
}

function tokensFrom({ length, tokens }: Columns): Float64Array {
  const sums = new Float64Array(length + 1);
  for (let at = length - 1; at >= 0; at -= 1) sums[at] = (sums[at + 1] as number) + (tokens[at] as number);
  return sums;
}
