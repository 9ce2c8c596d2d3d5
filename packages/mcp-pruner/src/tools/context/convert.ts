import type { Candidate, Clearing, Descriptors, Filters, Problem, Recommendation } from '@jeeves/context';
import {
  type ClearingCost,
  type ContextDescriptors,
  type PruningCandidate,
  type PruningRecommendation,
  SEGMENT_PROBLEMS,
  type SegmentFilters,
  type SegmentInfo,
  type SegmentProblem,
  type SegmentProblemCode,
  type SegmentType,
} from '@jeeves/protocol';
import type { SegmentMeta } from '@jeeves/store';

// Between the wire's words and the library's. Times are ISO texts there and milliseconds here.

export function fromDescriptors(given: ContextDescriptors | undefined): Descriptors | undefined {
  if (given === undefined) return undefined;
  return {
    usage: { current: given.token_usage.current, limit: given.token_usage.limit },
    currentFile: given.current_file?.path,
    task: given.task_info?.task_id,
    messages: given.recent_messages.map(({ segment_id, role, content, tokens, timestamp }) => ({
      id: segment_id,
      role,
      content,
      tokens,
      at: millis(timestamp),
    })),
    segments: given.segment_summaries.map((segment) => ({
      id: segment.segment_id,
      type: segment.type,
      preview: segment.preview,
      tokens: segment.tokens,
      createdAt: millis(segment.created_at),
      task: segment.task_id,
      file: segment.file_path,
      topic: segment.topic_id,
      tags: segment.tags,
    })),
  };
}

export function fromFilters(filters: SegmentFilters | undefined): Filters | undefined {
  if (filters === undefined) return undefined;
  return {
    file: filters.file_path,
    task: filters.task_id,
    type: filters.type,
    tags: filters.tags,
    createdAfter: millis(filters.created_after),
    createdBefore: millis(filters.created_before),
  };
}

export function toSegmentInfo(meta: SegmentMeta, refcount: number): SegmentInfo {
  return {
    segment_id: meta.segmentId,
    type: meta.type as SegmentType,
    project_id: meta.projectId,
    task_id: meta.taskId ?? null,
    created_at: isoTime(meta.createdAt),
    last_touched_at: isoTime(meta.touchedAt),
    pinned: meta.pinned,
    generation: meta.generation,
    gc_survival_count: meta.survivals,
    refcount,
    file_path: meta.file ?? null,
    tags: meta.tags,
    topic_id: meta.topic ?? null,
    tokens: meta.tokens,
    tier: meta.tier,
    text_complete: meta.textComplete,
  };
}

export function toCandidate({ id, score, tokens, type, ageHours, reason }: Candidate): PruningCandidate {
  return { segment_id: id, score, tokens, reason, segment_type: type, age_hours: ageHours };
}

export function toRecommendation(recommendation: Recommendation): PruningRecommendation {
  const { candidates, count, reason, clearing, worthwhile } = recommendation;
  return {
    segment_ids: candidates.map(({ id }) => id),
    segment_count: count,
    action: 'stash',
    reason,
    tokens_freed: clearing.tokensFreed,
    recommended: worthwhile,
    ...toCost(clearing),
  };
}

export function toCost(clearing: Clearing): ClearingCost {
  return {
    cached_tokens_invalidated: clearing.cachedTokensInvalidated,
    turns_to_pay_back: clearing.turnsToPayBack ?? null,
    cost_usd: clearing.costUsd,
    saved_usd_per_turn: clearing.savedUsdPerTurn,
  };
}

const PROBLEM_CODES: Readonly<Record<Problem['code'], SegmentProblemCode>> = {
  not_found: 'SEGMENT_NOT_FOUND',
  pinned: 'SEGMENT_PINNED',
  not_active: 'SEGMENT_NOT_ACTIVE',
};

export function toProblems(problems: readonly Problem[]): SegmentProblem[] {
  return problems.map(({ id, code }) => {
    const wireCode = PROBLEM_CODES[code];
    return { segment_id: id, code: wireCode, message: SEGMENT_PROBLEMS[wireCode] };
  });
}

export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

function millis(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}
