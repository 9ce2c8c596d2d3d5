import { SEGMENT_TYPES } from './item.ts';
import { REDUNDANCY_KINDS, type RedundancyKind } from './redundant.ts';

/** Why several segments can go, in words that follow their number. */
export type Group = (typeof REDUNDANT)[keyof typeof REDUNDANT] | (typeof UNUSED)[keyof typeof UNUSED];

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

/** First why they are redundant, then of which type the others are: see `groupNumber`. */
export const GROUPS: readonly Group[] = [
  ...REDUNDANCY_KINDS.filter((kind): kind is RedundancyKind => kind !== 'none').map((kind) => REDUNDANT[kind]),
  ...SEGMENT_TYPES.map((type) => UNUSED[type]),
];

/** Of the numbers of a type and of a kind of redundancy. */
export function groupNumber(type: number, redundancy: number): number {
  return redundancy === 0 ? REDUNDANCY_KINDS.length - 1 + type : redundancy - 1;
}
