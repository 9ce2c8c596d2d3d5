/**
 * The engine's public surface: whatever is named here is API. Nothing below imports a `node:` module or does I/O;
 * clock, ids, store and fetch are arguments. The tokenizer lives behind a subpath of its own.
 */
export { type Alignment, align } from './backends/align.ts';
export type { Backend, Judgement, JudgeRequest, SourceType } from './backends/backend.ts';
export { createDeepInfraBackend, DEEPINFRA_ENDPOINT, type DeepInfraOptions } from './backends/deepinfra.ts';
export { createEmbeddedBackend } from './backends/embedded/embedded.ts';
export { isLinkLocal } from './backends/http.ts';
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
export type { RecoveryStore, StoredText, TextToKeep } from './store.ts';
