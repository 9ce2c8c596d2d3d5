import type { Backend, RecoveryStore, SegmentStore } from '@jeeves/engine';
import type { Prices } from '../analysis/clearing.ts';
import type { Remembered } from '../remembered.ts';

/** What the operations share. */
export interface World {
  readonly store: SegmentStore;
  /** Where texts wait that were returned in part. */
  readonly recovery: RecoveryStore;
  readonly backend: Backend;
  readonly remembered: Remembered;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newSnapshotId: () => string;
  readonly newPruneId: () => string;
  readonly prices: Prices;
  /** A clearing that pays back later is not recommended while there is room. */
  readonly paybackTurns: number;
  /** The size of a window nobody has told the size of. */
  readonly tokenLimit: number;
}
