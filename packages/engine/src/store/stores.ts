import type { SegmentStore } from './segments.ts';
import type { SessionLimits, SessionStore } from './sessions.ts';
import type { ListingStore, StoreLimits } from './store.ts';

export interface OpenStoresOptions {
  /** Of the recovery store. Defaults to `DEFAULT_STORE_LIMITS`. */
  readonly limits?: StoreLimits;
  /** Defaults to `DEFAULT_SESSION_LIMITS`. */
  readonly sessionLimits?: SessionLimits;
  /** The clock that decides expiry. Defaults to `Date.now`. */
  readonly now?: () => number;
}

/** Everything one URL keeps: pruned texts, segments of conversations and catalogue sessions, over one connection. */
export interface Stores {
  readonly url: string;
  readonly recovery: ListingStore;
  readonly segments: SegmentStore;
  readonly sessions: SessionStore;
  /** Closes all three. */
  readonly close: () => Promise<void>;
}
