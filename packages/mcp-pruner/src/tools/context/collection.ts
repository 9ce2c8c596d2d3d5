import {
  CONTEXT_GC_PIN,
  CONTEXT_GC_PRUNE,
  CONTEXT_GC_UNPIN,
  CONTEXT_GET_WORKING_SET,
  type GcPruneArgs,
  type GcPruneResult,
  type PinResult,
  type SegmentIdsArgs,
  type TaskArgs,
  type UnpinResult,
  type WorkingSetResult,
} from '@jeeves/protocol';
import type { Tool } from '../../host/tool.ts';
import { type ContextToolDependencies, contextTool } from './answer.ts';
import { isoTime, toProblems, toSegmentInfo } from './convert.ts';
import { afterDeleting, afterPinning, afterStashing } from './steps.ts';

/** The most segments an answer lists. */
const MOST_SEGMENTS = 200;

export function createWorkingSet(dependencies: ContextToolDependencies): Tool<TaskArgs> {
  return contextTool(CONTEXT_GET_WORKING_SET, dependencies, async (context, args): Promise<WorkingSetResult> => {
    const { project_id, task_id } = args;
    const set = await context.workingSet({ project: project_id, task: task_id, limit: MOST_SEGMENTS });
    const refcounts = await context.refcounts(set.metas);
    const updated = set.metas[0]?.touchedAt;
    return {
      working_set: {
        project_id,
        task_id: task_id ?? null,
        total_tokens: set.tokens,
        last_updated: updated === undefined ? null : isoTime(updated),
      },
      segments: set.metas.map((meta) => toSegmentInfo(meta, refcounts.get(meta) ?? 0)),
      total_tokens: set.tokens,
      segment_count: set.count,
      next_step:
        set.count === 0
          ? { tool: 'context_get_task_context', why: 'Nothing is active: resume a task.', arguments: { project_id } }
          : { tool: 'context_gc_analyze', why: 'See which of these may go.', arguments: { project_id } },
    };
  });
}

export function createGcPrune(dependencies: ContextToolDependencies): Tool<GcPruneArgs> {
  return contextTool(CONTEXT_GC_PRUNE, dependencies, async (context, args): Promise<GcPruneResult> => {
    const { project_id, segment_ids, action, confirm } = args;
    const { done, tokens, previews, problems } = await context.collect({
      project: project_id,
      ids: segment_ids,
      action,
      confirm,
    });
    const errors = toProblems(problems);
    const deleted = action === 'delete';
    return {
      pruned_segments: done,
      tokens_freed: tokens,
      action: deleted ? 'deleted' : 'stashed',
      previews_only: deleted ? [] : previews,
      errors,
      next_step: (deleted ? afterDeleting : afterStashing)(project_id, { done, errors, previews }),
    };
  });
}

export function createGcPin(dependencies: ContextToolDependencies): Tool<SegmentIdsArgs> {
  return contextTool(CONTEXT_GC_PIN, dependencies, async (context, args): Promise<PinResult> => {
    const { project_id, segment_ids } = args;
    const { done, problems } = await context.setPinned(project_id, segment_ids, true);
    return {
      pinned_segments: done,
      errors: toProblems(problems),
      next_step: afterPinning(project_id, done.length),
    };
  });
}

export function createGcUnpin(dependencies: ContextToolDependencies): Tool<SegmentIdsArgs> {
  return contextTool(CONTEXT_GC_UNPIN, dependencies, async (context, args): Promise<UnpinResult> => {
    const { project_id, segment_ids } = args;
    const { done, problems } = await context.setPinned(project_id, segment_ids, false);
    return {
      unpinned_segments: done,
      errors: toProblems(problems),
      next_step: afterPinning(project_id, done.length),
    };
  });
}
