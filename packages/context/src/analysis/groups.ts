import type { SegmentType } from './item.ts';
import type { RedundancyKind } from './redundant.ts';

/** Why several segments can go, in words that follow their number. */
export type Group = (typeof REDUNDANT)[RedundancyKind] | (typeof UNUSED)[SegmentType];

const REDUNDANT = {
  duplicate: 'repeats of a later segment',
  superseded: 'superseded by a later read or run of the same file or command',
  failed: 'outputs of failed calls',
} as const;

const UNUSED = {
  log: 'logs that nothing refers to',
  note: 'notes that nothing refers to',
  code: 'code that nothing refers to',
  message: 'earlier messages',
  summary: 'summaries that nothing refers to',
  decision: 'decisions that nothing refers to',
} as const;

export function groupOf(type: SegmentType, redundancy: RedundancyKind | undefined): Group {
  return redundancy === undefined ? UNUSED[type] : REDUNDANT[redundancy];
}
