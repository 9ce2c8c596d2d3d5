/**
 * The engine's public surface: whatever is named here is API. Nothing below imports a `node:` module or does I/O;
 * clock, ids, store and fetch are arguments. Stores on disk and the tokenizer live behind their own subpaths.
 */
export { type Alignment, align } from './backends/align.ts';
export type { Backend, Judgement, JudgeRequest, SourceType } from './backends/backend.ts';
export { createDeepInfraBackend, DEEPINFRA_ENDPOINT, type DeepInfraOptions } from './backends/deepinfra.ts';
export { createLexicalBackend } from './backends/lexical/lexical.ts';
export {
  askService,
  createSwePrunerBackend,
  type ServiceAnswer,
  type ServiceRequest,
  type SwePrunerOptions,
} from './backends/swe-pruner.ts';
export { type CacheOptions, withCache } from './backends/with-cache.ts';
export { withFallback } from './backends/with-fallback.ts';
export { withRecent } from './backends/with-recent.ts';
export { type TimeoutOptions, withTimeout } from './backends/with-timeout.ts';
export { type CaptureRequest, type CaptureResult, pruneCapture } from './capture/prune-capture.ts';
export { type StreamName, streamsToPrune } from './capture/streams.ts';
export { printable, stripControls } from './capture/strip.ts';
export { type Window, type WindowLimits, windowOf } from './capture/window.ts';
export { detectSource } from './detect.ts';
export { EngineError, type EngineErrorCode } from './errors.ts';
export { estimateTokens, type TokenCount, type TokenCounter } from './estimate.ts';
export { newPruneId } from './ids.ts';
export { DEFAULTS, fewestKept, type Limits, type PruneRequest } from './options.ts';
export { type PruneDependencies, type PruneResult, prune } from './prune.ts';
export { type LineRange, type Recovered, type RecoverRequest, recover } from './recover.ts';
export type { Gap } from './render.ts';
export { Lines, split, type TextList } from './split.ts';
export type { PruneStats } from './stats.ts';
export { createMemorySegmentStore } from './store/memory/segments.ts';
export { createMemorySessionStore, type MemorySessionOptions } from './store/memory/sessions.ts';
export { createMemoryStores } from './store/memory/stores.ts';
export { createMemoryStore } from './store/memory.ts';
export type {
  ProjectDigest,
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
} from './store/segments.ts';
export { DEFAULT_SESSION_LIMITS, type SessionLimits, type SessionMarks, type SessionStore } from './store/sessions.ts';
export {
  DEFAULT_STORE_LIMITS,
  type ListingStore,
  type RecentQuery,
  type RecoveryStore,
  type StoredSummary,
  type StoredText,
  type StoreLimits,
  type TextToKeep,
} from './store/store.ts';
export type { OpenStoresOptions, Stores } from './store/stores.ts';
