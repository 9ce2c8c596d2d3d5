import type { Item, SegmentType } from './item.ts';
import type { Redundancy, RedundancyKind } from './redundant.ts';
import { refcountOf } from './references.ts';
import type { Window } from './window.ts';

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
const REDUNDANCY_WEIGHT: Readonly<Record<RedundancyKind, number>> = {
  duplicate: 0.9,
  superseded: 0.8,
  failed: 0.5,
};

/** After so many collections a segment belongs to the old generation. */
export const OLD_AFTER = 2;

/** How readily a segment may go, in whole thousandths. Age counts only up to a day: a week-old decision is still a decision. */
export function scoreOf({ redundant, references, now }: Window, item: Item): number {
  const age = Math.min(1, hoursSince(item.touchedAt, now) / SATURATES_AFTER_HOURS);
  const generation = item.survivals >= OLD_AFTER ? 1 : 0.3;
  const refcount = refcountOf(references, item);
  const plain = 0.4 * age + 0.3 * TYPE_WEIGHT[item.type] + 0.2 / (refcount + 1) + 0.1 * generation;
  const kind = redundant.get(item)?.kind;
  const certainty = kind === undefined ? 0 : REDUNDANCY_WEIGHT[kind];
  return Math.round(1000 * (plain + (1 - plain) * certainty));
}

/** Hours since anybody touched it. */
export function hoursSince(touchedAt: number, now: number): number {
  return Math.max(0, (now - touchedAt) / HOUR_MS);
}

/** In words, why a segment may go. */
export function reasonOf({ redundant, references, now }: Window, item: Item): string {
  const redundancy = redundant.get(item);
  const refcount = refcountOf(references, item);
  const reasons = [
    redundancy === undefined ? undefined : REDUNDANT_BECAUSE[redundancy.kind](redundancy),
    ageOf(hoursSince(item.touchedAt, now)),
    TYPE_WEIGHT[item.type] >= 0.8 ? 'low-value type' : undefined,
    refcount === 0 ? 'no references' : refcount < 3 ? `low refcount (${refcount})` : undefined,
    item.survivals >= OLD_AFTER ? 'old generation' : undefined,
  ];
  return reasons.filter((reason) => reason !== undefined).join(' + ');
}

function ageOf(hours: number): string {
  if (hours >= SATURATES_AFTER_HOURS) return `old (${hours.toFixed(0)} h)`;
  return hours > 1 ? `recent (${hours.toFixed(1)} h)` : 'new';
}

const REDUNDANT_BECAUSE: Readonly<Record<RedundancyKind, (redundancy: Redundancy) => string>> = {
  duplicate: ({ by }) => `same text as ${by}`,
  superseded: ({ by }) => `seen again later in ${by}`,
  failed: () => 'output of a failed call',
};
