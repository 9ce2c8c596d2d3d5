import { SEGMENT_TYPES, type SegmentType } from './item.ts';
import { REDUNDANCY_KINDS, type Redundancy, type RedundancyKind } from './redundant.ts';
import { refcountAt } from './references.ts';
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

function generationOf(survivals: number): 'young' | 'old' {
  return survivals >= OLD_AFTER ? 'old' : 'young';
}

/** By the numbers of the types and of the kinds of redundancy. */
const TYPE_WEIGHTS = Float64Array.from(SEGMENT_TYPES, (type) => TYPE_WEIGHT[type]);
const REDUNDANCY_WEIGHTS = Float64Array.from(REDUNDANCY_KINDS, (kind) =>
  kind === 'none' ? 0 : REDUNDANCY_WEIGHT[kind],
);

/** How readily each segment may go, in whole thousandths. Age counts only up to a day: a week-old decision is still a decision. */
export function scoresOf({ contents, now }: Window): Uint16Array {
  const { columns, references, redundant } = contents;
  const { length, epoch, touchedAt, type, survivals } = columns;
  const scores = new Uint16Array(length);
  for (let at = 0; at < length; at += 1) {
    const age = Math.min(1, hoursSince(epoch + (touchedAt[at] as number), now) / SATURATES_AFTER_HOURS);
    const generation = (survivals[at] as number) >= OLD_AFTER ? 1 : 0.3;
    const kind = TYPE_WEIGHTS[type[at] as number] as number;
    const refcount = refcountAt(columns, references, at);
    const plain = 0.4 * age + 0.3 * kind + 0.2 / (refcount + 1) + 0.1 * generation;
    const certainty = REDUNDANCY_WEIGHTS[redundant.kinds[at] as number] as number;
    scores[at] = Math.round(1000 * (plain + (1 - plain) * certainty));
  }
  return scores;
}

/** Hours since anybody touched it. */
export function hoursSince(touchedAt: number, now: number): number {
  return Math.max(0, (now - touchedAt) / HOUR_MS);
}

export interface Standing {
  readonly type: SegmentType;
  readonly hours: number;
  readonly survivals: number;
  readonly refcount: number;
  readonly redundancy?: Redundancy | undefined;
}

/** In words, why it may go. */
export function reasonOf({ type, hours, survivals, refcount, redundancy }: Standing): string {
  const reasons = [
    redundancy === undefined ? undefined : REDUNDANT_BECAUSE[redundancy.kind](redundancy.by ?? ''),
    hours >= SATURATES_AFTER_HOURS
      ? `old (${hours.toFixed(0)} h)`
      : hours > 1
        ? `recent (${hours.toFixed(1)} h)`
        : 'new',
    TYPE_WEIGHT[type] >= 0.8 ? 'low-value type' : undefined,
    refcount === 0 ? 'no references' : refcount < 3 ? `low refcount (${refcount})` : undefined,
    generationOf(survivals) === 'old' ? 'old generation' : undefined,
  ];
  return reasons.filter((reason) => reason !== undefined).join(' + ');
}

const REDUNDANT_BECAUSE: Readonly<Record<RedundancyKind, (by: string) => string>> = {
  duplicate: (by) => `same text as ${by}`,
  superseded: (by) => `seen again later in ${by}`,
  failed: () => 'output of a failed call',
};
