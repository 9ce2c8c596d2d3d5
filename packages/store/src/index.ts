/**
 * The public surface of the stores: whatever is named here is API. What lies on a disk or on a server is loaded when a URL
 * asks for it; `@jeeves/store/sqlite` and `@jeeves/store/postgres` open it with options of its own.
 */
export { DEFAULT_STORE_LIMITS, type StoreLimits } from './limits.ts';
export type { ListingStore, RecentQuery, StoredSummary } from './listing.ts';
export { createMemoryStore, type MemoryStoreOptions } from './memory/recovery.ts';
export { createMemorySegmentStore } from './memory/segments.ts';
export { createMemorySessionStore, type MemorySessionOptions } from './memory/sessions.ts';
export { createMemoryStores } from './memory/stores.ts';
export { defaultStoreUrl, type OpenStoreOptions, openStore, openStores } from './open.ts';
export type {
  ProjectState,
  ProjectSummary,
  Segment,
  SegmentChanges,
  SegmentCondition,
  SegmentCount,
  SegmentDraft,
  SegmentFilter,
  SegmentGeneration,
  SegmentMatch,
  SegmentMatches,
  SegmentMeta,
  SegmentPage,
  SegmentPageResult,
  SegmentSearch,
  SegmentStore,
  SegmentTier,
  SegmentTotals,
  SegmentWrite,
  Snapshot,
  SnapshotDraft,
  SnapshotInfo,
  WriteOutcome,
} from './segments.ts';
export { DEFAULT_SESSION_LIMITS, type SessionLimits, type SessionMarks, type SessionStore } from './sessions.ts';
export type { OpenStoresOptions, Stores } from './stores.ts';
