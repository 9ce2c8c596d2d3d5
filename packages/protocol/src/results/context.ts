import type { ContextErrorCode, SegmentProblemCode } from '../errors.ts';
import type { SegmentFilters, SegmentType } from '../tools/context-args.ts';

/** A piece of a conversation. */
export interface Segment {
  readonly segment_id: string;
  readonly text: string;
  readonly type: SegmentType;
  readonly project_id: string;
  readonly task_id: string | null;
  readonly created_at: string;
  readonly last_touched_at: string;
  readonly pinned: boolean;
  readonly generation: 'young' | 'old';
  readonly gc_survival_count: number;
  readonly refcount: number;
  readonly file_path: string | null;
  readonly tags: readonly string[];
  readonly topic_id: string | null;
  readonly tokens: number;
  readonly tier: 'working' | 'stashed';
  /** Present when a goal left lines out of `text`; `recover_text` restores them. */
  readonly prune_id?: string | undefined;
}

/** Why one segment of a batch was passed over; the others were done. */
export interface SegmentProblem {
  readonly segment_id: string;
  readonly code: SegmentProblemCode;
  readonly message: string;
}

/** `structuredContent` of a context tool that failed. Nothing was changed. */
export interface ContextError {
  readonly error: {
    readonly code: ContextErrorCode;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

export interface UsageMetrics {
  readonly total_tokens: number;
  readonly total_segments: number;
  readonly tokens_by_type: Readonly<Record<string, number>>;
  readonly segments_by_type: Readonly<Record<string, number>>;
  readonly tokens_by_task: Readonly<Record<string, number>>;
  readonly oldest_segment_age_hours: number;
  readonly newest_segment_age_hours: number;
  readonly pinned_segments_count: number;
  readonly pinned_tokens: number;
  readonly usage_percent: number;
  readonly estimated_remaining_tokens: number;
}

/** What `context_analyze_usage` answers. */
export interface AnalyzeUsageResult {
  readonly current_tokens: number;
  /** Rounded: 25,000 of 32,000 is 78. */
  readonly usage_percent: number;
  readonly usage_metrics: UsageMetrics;
  /** 0 (act now) to 100 (healthy). */
  readonly health_score: {
    readonly score: number;
    readonly usage_percent: number;
    readonly factors: Readonly<Record<string, number>>;
  };
  readonly recommendations: readonly UsageRecommendation[];
  readonly warnings: readonly string[];
  readonly suggested_actions: readonly SuggestedAction[];
  readonly impact_summary: { readonly candidates: number; readonly estimated_tokens_freed: number };
  readonly pruning_candidates: readonly PruningCandidate[];
  readonly pruning_candidates_count: number;
}

export interface UsageRecommendation {
  readonly priority: 'urgent' | 'high' | 'medium' | 'low';
  readonly message: string;
  readonly action: 'prune' | 'stash' | 'unpin' | 'none';
}

export interface SuggestedAction {
  readonly tool: string;
  readonly description: string;
  readonly estimated_tokens_freed: number;
}

/** A segment nothing current refers to; the higher its score, the sooner it may go. */
export interface PruningCandidate {
  readonly segment_id: string;
  readonly score: number;
  readonly tokens: number;
  readonly reason: string;
  readonly segment_type: SegmentType;
  readonly age_hours: number;
}

export interface PruningRecommendation {
  readonly segment_ids: readonly string[];
  readonly action: 'stash' | 'delete';
  readonly reason: string;
  readonly tokens_freed: number;
}

/** What `context_get_working_set` answers, the segments touched last first. */
export interface WorkingSetResult {
  readonly working_set: {
    readonly project_id: string;
    readonly task_id: string | null;
    readonly total_tokens: number;
    readonly last_updated: string;
  };
  readonly segments: readonly Segment[];
  readonly total_tokens: number;
  readonly segment_count: number;
}

/** What `context_gc_analyze` answers. */
export interface GcAnalyzeResult {
  readonly pruning_candidates: readonly PruningCandidate[];
  readonly total_candidates: number;
  readonly estimated_tokens_freed: number;
  readonly recommendations: readonly PruningRecommendation[];
  /** With `target_tokens` only. Deleting is never planned before stashing. */
  readonly pruning_plan?: PruningPlan | undefined;
}

export interface PruningPlan {
  readonly candidates: readonly PruningCandidate[];
  readonly total_tokens_freed: number;
  readonly stash_segments: readonly string[];
  readonly delete_segments: readonly string[];
  readonly reason: string;
}

/** What `context_gc_prune` answers. */
export interface GcPruneResult {
  readonly pruned_segments: readonly string[];
  readonly tokens_freed: number;
  readonly action: 'stashed' | 'deleted';
  readonly errors: readonly SegmentProblem[];
}

/** What `context_gc_pin` answers. */
export interface PinResult {
  readonly pinned_segments: readonly string[];
  readonly errors: readonly SegmentProblem[];
}

/** What `context_gc_unpin` answers. */
export interface UnpinResult {
  readonly unpinned_segments: readonly string[];
  readonly errors: readonly SegmentProblem[];
}

/** What `context_stash` answers. */
export interface StashResult {
  readonly stashed_segments: readonly string[];
  readonly tokens_stashed: number;
  readonly segments_matched: number;
  readonly errors: readonly SegmentProblem[];
}

/** What `context_search_stashed` answers, best match first, then newest. */
export interface SearchStashedResult {
  readonly segments: readonly Segment[];
  readonly total_matches: number;
  readonly query: string | null;
  readonly filters_applied: SegmentFilters;
}

/** What `context_retrieve_stashed` answers. */
export interface RetrieveStashedResult {
  readonly retrieved_segments: readonly Segment[];
  readonly moved_to_active: readonly string[];
  readonly segments_found: number;
  readonly errors: readonly SegmentProblem[];
}

/** What `context_list_projects` answers. */
export interface ListProjectsResult {
  readonly projects: readonly string[];
  readonly count: number;
}

/** What `context_set_current_task` answers. */
export interface SetCurrentTaskResult {
  readonly previous_task_id: string | null;
  readonly current_task_id: string | null;
  readonly working_set_updated: boolean;
}

/** What `context_get_task_context` answers. */
export interface TaskContextResult {
  readonly task_id: string | null;
  /** From the working set and the stash; copies held by snapshots are not counted again. */
  readonly segments: readonly Segment[];
  readonly total_tokens: number;
  readonly segment_count: number;
  /** It is the current task. */
  readonly active: boolean;
  readonly restored_segments?: readonly string[] | undefined;
}

/** What `context_create_task_snapshot` answers. */
export interface TaskSnapshotResult {
  readonly snapshot_id: string;
  readonly task_id: string;
  readonly segments_captured: number;
  readonly tokens_captured: number;
  readonly created_at: string;
}
