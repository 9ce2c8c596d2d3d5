import type { ContextErrorCode, SegmentProblemCode } from '../errors.ts';
import type { SegmentFilters, SegmentType } from '../tools/context-args.ts';

/** A piece of a conversation, without its text. */
export interface SegmentInfo {
  readonly segment_id: string;
  readonly type: SegmentType;
  readonly project_id: string;
  readonly task_id: string | null;
  readonly created_at: string;
  readonly last_touched_at: string;
  readonly pinned: boolean;
  readonly generation: 'young' | 'old';
  readonly gc_survival_count: number;
  /** How many segments of the project refer to it or share its topic. */
  readonly refcount: number;
  readonly file_path: string | null;
  readonly tags: readonly string[];
  readonly topic_id: string | null;
  readonly tokens: number;
  readonly tier: 'working' | 'stashed';
  /** False when only a preview of the text was ever sent: `text` is that preview then. */
  readonly text_complete: boolean;
}

/** A segment with its text. */
export interface Segment extends SegmentInfo {
  readonly text: string;
  /** Present when lines are missing from `text`, for a goal or for want of room; `recover_text` restores them. */
  readonly prune_id?: string | undefined;
}

/** A segment that a search found. */
export interface FoundSegment extends SegmentInfo {
  /** The beginning of the text; `context_retrieve_stashed` gives all of it. */
  readonly preview: string;
  /** 0 to 1, how well it serves the query; absent without a query. */
  readonly score?: number | undefined;
}

/** What every answer ends with. */
export interface ContextAnswer {
  /** Lists were cut: the reply would not have fitted otherwise. */
  readonly truncated?: true | undefined;
  readonly next_step: NextStep;
}

/** The one step worth taking after this answer. */
export interface NextStep {
  readonly tool: string;
  readonly why: string;
  /** Arguments to call it with, apart from `context_descriptors`. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Why one segment of a batch was passed over; the others were done. */
export interface SegmentProblem {
  readonly segment_id: string;
  readonly code: SegmentProblemCode;
  readonly message: string;
}

/** `structuredContent` of a context tool that failed. Nothing was changed. */
export interface ContextError extends ContextAnswer {
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
export interface AnalyzeUsageResult extends ContextAnswer {
  readonly current_tokens: number;
  /** Rounded: 25,000 of 32,000 is 78. */
  readonly usage_percent: number;
  /** Sentences, the most pressing first. */
  readonly recommendations: readonly string[];
  /** The 50 that may go first; `context_gc_analyze` plans with all of them. */
  readonly pruning_candidates: readonly PruningCandidate[];
  readonly pruning_candidates_count: number;
  readonly usage_metrics: UsageMetrics;
  /** 0 (act now) to 100 (healthy). */
  readonly health_score: {
    readonly score: number;
    readonly usage_percent: number;
    readonly factors: {
      readonly usage_score: number;
      readonly age_penalty: number;
      readonly distribution_bonus: number;
    };
  };
  /** The recommendations with their priorities. */
  readonly recommendation_details: readonly UsageRecommendation[];
  readonly warnings: readonly string[];
  readonly suggested_actions: readonly SuggestedAction[];
  /** One for every reason, and before them one for all of them in one go, where that pays and not each does alone. */
  readonly clearings: readonly PruningRecommendation[];
  /** All that is worth stashing at once, so that the cache is rewritten once; `candidates` counts those segments. */
  readonly impact_summary: { readonly candidates: number; readonly estimated_tokens_freed: number } & ClearingCost;
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

/** A segment nothing current refers to; the higher its score, 0 to 1, the sooner it may go. */
export interface PruningCandidate {
  readonly segment_id: string;
  readonly score: number;
  readonly tokens: number;
  readonly reason: string;
  readonly segment_type: SegmentType;
  /** Hours since it was touched. */
  readonly age_hours: number;
}

/** What clearing costs where the beginning of the context is cached, at the configured prices. */
export interface ClearingCost {
  /** Tokens after the first cleared segment that stay: they are written to the cache once more. */
  readonly cached_tokens_invalidated: number;
  /** After so many turns it has paid; null when it never does. */
  readonly turns_to_pay_back: number | null;
  readonly cost_usd: number;
  readonly saved_usd_per_turn: number;
}

/** Segments to clear together. Deleting is never recommended: the stash comes first. */
export interface PruningRecommendation extends ClearingCost {
  /** The first 200. */
  readonly segment_ids: readonly string[];
  readonly segment_count: number;
  readonly action: 'stash' | 'delete';
  readonly reason: string;
  readonly tokens_freed: number;
  /** False while it alone pays back too late (`JEEVES_PAYBACK_TURNS`) and less than 90 % of the context is in use. */
  readonly recommended: boolean;
}

/** What `context_get_working_set` answers. */
export interface WorkingSetResult extends ContextAnswer {
  readonly working_set: {
    readonly project_id: string;
    readonly task_id: string | null;
    readonly total_tokens: number;
    /** When a segment was last touched; null without one. */
    readonly last_updated: string | null;
  };
  /** Those touched last first, 200 at most. */
  readonly segments: readonly SegmentInfo[];
  readonly total_tokens: number;
  readonly segment_count: number;
}

/** What `context_gc_analyze` answers. */
export interface GcAnalyzeResult extends ContextAnswer {
  /** The 50 that may go first. */
  readonly pruning_candidates: readonly PruningCandidate[];
  readonly total_candidates: number;
  readonly estimated_tokens_freed: number;
  readonly recommendations: readonly PruningRecommendation[];
  /** With `target_tokens` only; of at most 200 segments. */
  readonly pruning_plan?: PruningPlan | undefined;
  readonly warnings: readonly string[];
}

export interface PruningPlan extends ClearingCost {
  readonly candidates: readonly PruningCandidate[];
  readonly total_tokens_freed: number;
  readonly stash_segments: readonly string[];
  /** Always empty: what is planned to leave the context is stashed first. */
  readonly delete_segments: readonly string[];
  readonly reason: string;
}

/** What `context_gc_prune` answers. */
export interface GcPruneResult extends ContextAnswer {
  readonly pruned_segments: readonly string[];
  readonly tokens_freed: number;
  readonly action: 'stashed' | 'deleted';
  /** Segments that were stashed as the preview they are known by. */
  readonly previews_only: readonly string[];
  readonly errors: readonly SegmentProblem[];
}

/** What `context_gc_pin` answers. */
export interface PinResult extends ContextAnswer {
  readonly pinned_segments: readonly string[];
  readonly errors: readonly SegmentProblem[];
}

/** What `context_gc_unpin` answers. */
export interface UnpinResult extends ContextAnswer {
  readonly unpinned_segments: readonly string[];
  readonly errors: readonly SegmentProblem[];
}

/** What `context_stash` answers. */
export interface StashResult extends ContextAnswer {
  readonly stashed_segments: readonly string[];
  readonly tokens_stashed: number;
  readonly segments_matched: number;
  /** Segments that were stashed as the preview they are known by; send their texts as `segments` to complete them. */
  readonly previews_only: readonly string[];
  readonly errors: readonly SegmentProblem[];
}

/** What `context_search_stashed` answers, best match first, then newest. */
export interface SearchStashedResult extends ContextAnswer {
  readonly segments: readonly FoundSegment[];
  /** All that have a word of the query; a lower bound when `matches_capped`. */
  readonly total_matches: number;
  readonly matches_capped: boolean;
  readonly query: string | null;
  readonly filters_applied: SegmentFilters;
}

/** What `context_retrieve_stashed` answers. */
export interface RetrieveStashedResult extends ContextAnswer {
  readonly retrieved_segments: readonly Segment[];
  readonly moved_to_active: readonly string[];
  readonly segments_found: number;
  /** Found, but without room in this answer: retrieve them by id. */
  readonly omitted_segments: readonly string[];
  readonly errors: readonly SegmentProblem[];
}

/** What `context_list_projects` answers. */
export interface ListProjectsResult extends ContextAnswer {
  readonly projects: readonly string[];
  readonly count: number;
}

/** What `context_set_current_task` answers. */
export interface SetCurrentTaskResult extends ContextAnswer {
  readonly previous_task_id: string | null;
  readonly current_task_id: string | null;
  /** Another task is current now, so another working set counts as in use. */
  readonly working_set_updated: boolean;
}

/** What `context_get_task_context` answers. */
export interface TaskContextResult extends ContextAnswer {
  readonly task_id: string | null;
  /** From the working set and the stash; copies held by snapshots are not counted again. */
  readonly segments: readonly Segment[];
  readonly total_tokens: number;
  readonly segment_count: number;
  /** It is the current task. */
  readonly active: boolean;
  /** Of the task, or of all tasks where none is meant; newest first. */
  readonly snapshots: readonly SnapshotInfo[];
  readonly restored_segments?: readonly string[] | undefined;
  /** Later texts of restored segments, kept in the stash under these ids. */
  readonly set_aside_segments?: readonly string[] | undefined;
  /** Without room in this answer: `context_retrieve_stashed` gives them by id. */
  readonly omitted_segments: readonly string[];
}

export interface SnapshotInfo {
  readonly snapshot_id: string;
  readonly task_id: string | null;
  readonly name: string | null;
  readonly created_at: string;
  readonly segments: number;
  readonly tokens: number;
}

/** What `context_create_task_snapshot` answers. */
export interface TaskSnapshotResult extends ContextAnswer {
  readonly snapshot_id: string;
  readonly task_id: string;
  readonly segments_captured: number;
  readonly tokens_captured: number;
  readonly created_at: string;
}
