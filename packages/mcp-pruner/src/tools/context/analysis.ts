import type { Plan, UsageAnalysis } from '@jeeves/context';
import {
  type AnalyzeUsageArgs,
  type AnalyzeUsageResult,
  CONTEXT_ANALYZE_USAGE,
  CONTEXT_GC_ANALYZE,
  type GcAnalyzeArgs,
  type GcAnalyzeResult,
  type PruningPlan,
  type UsageMetrics,
} from '@jeeves/protocol';
import type { Tool } from '../../host/tool.ts';
import { type ContextToolDependencies, contextTool } from './answer.ts';
import { fromDescriptors, toCandidate, toCost, toRecommendation } from './convert.ts';
import { AIM_AT, afterGarbage, afterUsage } from './steps.ts';

/** The most candidates an answer lists: whoever reads it pays for each. */
const MOST_CANDIDATES = 50;

export function createAnalyzeUsage(dependencies: ContextToolDependencies): Tool<AnalyzeUsageArgs> {
  return contextTool(CONTEXT_ANALYZE_USAGE, dependencies, async (context, args): Promise<AnalyzeUsageResult> => {
    const { project_id, task_id, token_limit, context_descriptors } = args;
    const analysis = await context.analyzeUsage({
      project: project_id,
      task: task_id,
      limit: token_limit,
      aim: AIM_AT,
      descriptors: fromDescriptors(context_descriptors),
    });
    const { fill, health, advice, warnings, findings, together, recommendations, advised } = analysis;
    return {
      current_tokens: fill.current,
      usage_percent: Math.round(fill.percent),
      recommendations: advice.map(({ message }) => message),
      pruning_candidates: findings.best.slice(0, MOST_CANDIDATES).map(toCandidate),
      pruning_candidates_count: findings.count,
      usage_metrics: toMetrics(analysis),
      health_score: {
        score: health.score,
        usage_percent: twoDigits(fill.percent),
        factors: {
          usage_score: health.factors.usage,
          age_penalty: health.factors.agePenalty,
          distribution_bonus: health.factors.distributionBonus,
        },
      },
      recommendation_details: advice,
      warnings,
      suggested_actions: advised.map(({ reason, clearing }) => ({
        tool: 'context_gc_prune',
        description: `Stash ${reason}.`,
        estimated_tokens_freed: clearing.tokensFreed,
      })),
      clearings: recommendations.map(toRecommendation),
      impact_summary: {
        candidates: together.count,
        estimated_tokens_freed: together.tokensFreed,
        ...toCost(together),
      },
      next_step: afterUsage(project_id, analysis, task_id),
    };
  });
}

export function createGcAnalyze(dependencies: ContextToolDependencies): Tool<GcAnalyzeArgs> {
  return contextTool(CONTEXT_GC_ANALYZE, dependencies, async (context, args): Promise<GcAnalyzeResult> => {
    const { project_id, task_id, target_tokens, context_descriptors } = args;
    const analysis = await context.analyzeGarbage({
      project: project_id,
      task: task_id,
      target: target_tokens,
      descriptors: fromDescriptors(context_descriptors),
    });
    const { findings, recommendations, plan, warnings } = analysis;
    return {
      pruning_candidates: findings.best.slice(0, MOST_CANDIDATES).map(toCandidate),
      total_candidates: findings.count,
      estimated_tokens_freed: findings.tokens,
      recommendations: recommendations.map(toRecommendation),
      ...(plan !== undefined && { pruning_plan: toPlan(plan) }),
      warnings,
      next_step: afterGarbage(project_id, analysis),
    };
  });
}

function toPlan({ candidates, reason, clearing }: Plan): PruningPlan {
  return {
    candidates: candidates.map(toCandidate),
    total_tokens_freed: clearing.tokensFreed,
    stash_segments: candidates.map(({ id }) => id),
    delete_segments: [],
    reason,
    ...toCost(clearing),
  };
}

function toMetrics({ usage, fill }: UsageAnalysis): UsageMetrics {
  return {
    total_tokens: usage.totalTokens,
    total_segments: usage.totalSegments,
    tokens_by_type: Object.fromEntries(usage.tokensByType),
    segments_by_type: Object.fromEntries(usage.segmentsByType),
    tokens_by_task: Object.fromEntries(usage.tokensByTask),
    oldest_segment_age_hours: usage.oldestHours,
    newest_segment_age_hours: usage.newestHours,
    pinned_segments_count: usage.pinnedSegments,
    pinned_tokens: usage.pinnedTokens,
    usage_percent: twoDigits(fill.percent),
    estimated_remaining_tokens: Math.max(0, fill.limit - fill.current),
  };
}

function twoDigits(value: number): number {
  return Math.round(value * 100) / 100;
}
