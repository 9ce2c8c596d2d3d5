import { type Item, inOrder } from '../../src/analysis/item.ts';
import { type Surroundings, type Window, windowOf } from '../../src/analysis/window.ts';

export const NOW: number = Date.parse('2026-03-02T10:00:00Z');
const HOUR = 3_600_000;

/** An item of a window, an hour or so old, that differs from others by its id alone. */
export function item(id: string, more: Partial<Item> & { hours?: number } = {}): Item {
  const { hours = 2, ...rest } = more;
  const createdAt = NOW - hours * HOUR;
  return {
    id,
    type: 'log',
    assigned: false,
    held: false,
    createdAt,
    touchedAt: createdAt,
    enteredAt: createdAt,
    pinned: false,
    survivals: 0,
    references: [],
    tokens: 100,
    textHash: `hash of ${id}`,
    textComplete: true,
    failed: false,
    ...rest,
  };
}

export function windowWith(items: readonly Item[], more: Partial<Surroundings> = {}): Window {
  return windowOf(inOrder(items), { now: NOW, ...more });
}
