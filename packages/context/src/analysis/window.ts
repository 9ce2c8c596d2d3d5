import type { Item } from './item.ts';
import { findRedundant, type Redundancy } from './redundant.ts';
import { type References, referencesIn } from './references.ts';

/** What is in an agent's window, and what its work is about right now. */
export interface Window {
  /** In the order in which they entered it. */
  readonly items: readonly Item[];
  /** The items that say nothing the window does not say elsewhere or better, and why. */
  readonly redundant: ReadonlyMap<Item, Redundancy>;
  readonly references: References;
  /** How many tokens stand at each place and after it; one more place, with none, at the end. */
  readonly tokensFrom: readonly number[];
  readonly currentTask?: string | undefined;
  readonly currentFile?: string | undefined;
  /** Whole minutes, so that two calls in the same minute agree to the last digit. */
  readonly now: number;
}

export type Surroundings = Pick<Window, 'currentTask' | 'currentFile' | 'now'>;

/** A window of these items, which are in order, and what follows from them. */
export function windowOf(items: readonly Item[], surroundings: Surroundings): Window {
  return {
    items,
    redundant: findRedundant(items),
    references: referencesIn(items),
    tokensFrom: tokensFrom(items),
    ...surroundings,
  };
}

function tokensFrom(items: readonly Item[]): number[] {
  const sums = [0];
  for (const { tokens } of items.toReversed()) sums.push((sums.at(-1) ?? 0) + tokens);
  return sums.reverse();
}
