import type { Item, SegmentType } from './item.ts';
import type { Redundancy } from './redundant.ts';

const HOUR_MS = 3_600_000;

/** From this age on a segment counts as old, and no older than that. */
const SATURATES_AFTER_HOURS = 24;

const TYPE_WEIGHT: Readonly<Record<SegmentType, number>> = {
  log: 1,
  note: 0.8,
  code: 0.5,
  message: 0.3,
  summary: 0.2,
  decision: 0.1,
};

/** How far towards certain a redundancy moves the score. */
const REDUNDANCY_WEIGHT: Readonly<Record<Redundancy['kind'], number>> = {
  duplicate: 0.9,
  superseded: 0.8,
  failed: 0.5,
};

/** After so many collections a segment belongs to the old generation. */
export const OLD_AFTER = 2;

function generationOf(survivals: number): 'young' | 'old' {
  return survivals >= OLD_AFTER ? 'old' : 'young';
}

export interface Standing {
  readonly now: number;
  readonly refcount: number;
  readonly redundancy?: Redundancy | undefined;
}

/** How readily a segment may go, 0..1. Age counts only up to a day: a week-old decision is still a decision. */
export function scoreOf(item: Item, { now, refcount, redundancy }: Standing): number {
  const age = Math.min(1, ageHours(item, now) / SATURATES_AFTER_HOURS);
  const generation = generationOf(item.survivals) === 'old' ? 1 : 0.3;
  const plain = 0.4 * age + 0.3 * TYPE_WEIGHT[item.type] + 0.2 / (refcount + 1) + 0.1 * generation;
  return redundancy === undefined ? plain : plain + (1 - plain) * REDUNDANCY_WEIGHT[redundancy.kind];
}

/** Hours since anybody touched it. */
export function ageHours({ touchedAt }: Item, now: number): number {
  return Math.max(0, (now - touchedAt) / HOUR_MS);
}

/** In words, why it may go. */
export function reasonOf(item: Item, { now, refcount, redundancy }: Standing): string {
  const hours = ageHours(item, now);
  const reasons = [
    redundancy === undefined ? undefined : REDUNDANT_BECAUSE[redundancy.kind](redundancy.by ?? ''),
    hours >= SATURATES_AFTER_HOURS
      ? `old (${hours.toFixed(0)} h)`
      : hours > 1
        ? `recent (${hours.toFixed(1)} h)`
        : 'new',
    TYPE_WEIGHT[item.type] >= 0.8 ? 'low-value type' : undefined,
    refcount === 0 ? 'no references' : refcount < 3 ? `low refcount (${refcount})` : undefined,
    generationOf(item.survivals) === 'old' ? 'old generation' : undefined,
  ];
  return reasons.filter((reason) => reason !== undefined).join(' + ');
}

const REDUNDANT_BECAUSE: Readonly<Record<Redundancy['kind'], (by: string) => string>> = {
  duplicate: (by) => `same text as ${by}`,
  superseded: (by) => `seen again later in ${by}`,
  failed: () => 'output of a failed call',
};
