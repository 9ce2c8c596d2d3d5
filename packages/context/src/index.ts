/** The library's public surface: whatever is named here is API. */
export type { Advice } from './analysis/advice.ts';
export type { Candidate, CandidateList, Findings } from './analysis/candidates.ts';
export { type Clearing, DEFAULT_PRICES, type Prices } from './analysis/clearing.ts';
export type { SegmentType } from './analysis/item.ts';
export type { Plan, Recommendation } from './analysis/plan.ts';
export { type Context, type ContextOptions, createContext } from './context.ts';
export type { DescribedMessage, DescribedSegment, Descriptors } from './descriptors.ts';
export { ContextError, type ContextErrorCode, type Problem } from './error.ts';
export type { GarbageAnalysis, UsageAnalysis } from './operations/analyze.ts';
export type { Batch } from './operations/batch.ts';
export type { Filters } from './operations/filters.ts';
export type { Retrieved } from './operations/retrieve.ts';
export type { Match, Matches } from './operations/search.ts';
export type { GivenSegment, Stashed } from './operations/stash.ts';
export type { TaskContext, WorkingSet } from './operations/tasks.ts';
export type { Given } from './operations/texts.ts';
