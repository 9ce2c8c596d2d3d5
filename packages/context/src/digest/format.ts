import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type ColumnName, PLAIN_COLUMNS, TIME_COLUMNS } from '../analysis/columns.ts';
import type { Width } from '../analysis/numbers.ts';

/** Of all that follows it, at the very beginning. */
export const CHECKSUM_BYTES = 32;

/**
 * Comes next: "JV" and the number of the format, which grows when anything in it gets another meaning. As written by a
 * machine with another order of bytes it is another number, and such a digest is not read.
 */
export const FORMAT = 0x4a56_0002;

/** The checksum, the format and the length of the head. */
export const PREFIX_BYTES: number = CHECKSUM_BYTES + 8;

/** The columns of a digest, in this order. */
export const COLUMNS: readonly ColumnName[] = [...TIME_COLUMNS, ...PLAIN_COLUMNS];

/** Says what lies in the bytes after it. Each part begins where numbers of any width may begin. */
export interface Head {
  readonly collections: number;
  readonly length: number;
  readonly epoch: number;
  readonly columns: readonly ColumnForm[];
  readonly targets: NumbersForm;
  readonly targetsFrom: NumbersForm;
  readonly names: readonly NamesForm[];
}

/** Numbers that can be told without storing them, those of another column but for a few, or their width. */
export type ColumnForm = 'zeros' | 'places' | 'createdAt' | ExceptionsForm | Width;

/** As `createdAt`, but for these places, which have these numbers. */
export interface ExceptionsForm {
  readonly places: NumbersForm;
  readonly numbers: NumbersForm;
}

export interface NumbersForm {
  readonly width: Width;
  readonly count: number;
}

/** The sign of each name in two bytes, where each ends in four, and all of them end to end, packed. */
export interface NamesForm {
  readonly count: number;
  readonly encoding: 'latin1' | 'utf16le';
  /** As they are packed, and as they are. */
  readonly packedBytes: number;
  readonly bytes: number;
}

const ALIGNED_TO = 8;

/** How many bytes a part takes, with what keeps the next one aligned. */
export function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNED_TO) * ALIGNED_TO;
}

/** Wrong bytes may never become a wrong answer: they are told from right ones as surely as texts by their hashes. */
export function checksum(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
