import type { Backend, RecoveryStore } from '@jeeves/engine';
import type { SegmentStore } from '@jeeves/store';
import type { Prices } from '../analysis/clearing.ts';
import type { ProjectCache } from '../project-cache.ts';

/** What the operations share. */
export interface Services {
  readonly store: SegmentStore;
  /** Where texts wait that were returned in part. */
  readonly recovery: RecoveryStore;
  readonly backend: Backend;
  readonly projects: ProjectCache;
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
