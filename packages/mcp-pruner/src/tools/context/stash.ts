import type { Given } from '@jeeves/context';
import {
  CONTEXT_RETRIEVE_STASHED,
  CONTEXT_SEARCH_STASHED,
  CONTEXT_STASH,
  type RetrieveStashedArgs,
  type RetrieveStashedResult,
  type SearchStashedArgs,
  type SearchStashedResult,
  type Segment,
  type StashArgs,
  type StashResult,
} from '@jeeves/protocol';
import type { Tool } from '../../host/tool.ts';
import { type ContextToolDependencies, contextTool, textRoom } from './answer.ts';
import { fromFilters, toProblems, toSegmentInfo } from './convert.ts';
import { afterRetrieving, afterSearch, afterStashing } from './steps.ts';

export function createStash(dependencies: ContextToolDependencies): Tool<StashArgs> {
  return contextTool(CONTEXT_STASH, dependencies, async (context, args): Promise<StashResult> => {
    const { project_id, segment_ids, filters, query, segments } = args;
    const stashed = await context.stash({
      project: project_id,
      ids: segment_ids,
      filters: fromFilters(filters),
      goal: query,
      segments: segments?.map(({ segment_id, text, tokens, type, task_id, file_path, topic_id, tags }) => ({
        id: segment_id,
        text,
        tokens,
        type,
        task: task_id,
        file: file_path,
        topic: topic_id,
        tags,
      })),
    });
    const { done, previews } = stashed;
    const errors = toProblems(stashed.problems);
    return {
      stashed_segments: done,
      tokens_stashed: stashed.tokens,
      segments_matched: stashed.matched,
      previews_only: previews,
      errors,
      next_step: afterStashing(project_id, { done, errors, previews }),
    };
  });
}

const PREVIEW_CHARS = 280;

export function createSearchStashed(dependencies: ContextToolDependencies): Tool<SearchStashedArgs> {
  return contextTool(CONTEXT_SEARCH_STASHED, dependencies, async (context, args): Promise<SearchStashedResult> => {
    const { query, filters, limit } = args;
    // Others' texts are found by those who ask for them, never by an argument that was forgotten.
    const project = args.all_projects ? undefined : args.project_id;
    const found = await context.search({ project, goal: query, filters: fromFilters(filters), limit });
    const refcounts = await context.refcounts(found.matches.map(({ meta }) => meta));
    return {
      segments: found.matches.map(({ meta, score, excerpt }) => ({
        ...toSegmentInfo(meta, refcounts.get(meta) ?? 0),
        preview: excerpt.slice(0, PREVIEW_CHARS),
        ...(score !== undefined && { score }),
      })),
      total_matches: found.found,
      matches_capped: found.capped,
      query: query ?? null,
      filters_applied: filters ?? {},
      next_step: afterSearch(project, found, query),
    };
  });
}

export function createRetrieveStashed(dependencies: ContextToolDependencies): Tool<RetrieveStashedArgs> {
  return contextTool(
    CONTEXT_RETRIEVE_STASHED,
    dependencies,
    async (context, args, call): Promise<RetrieveStashedResult> => {
      const { project_id, segment_ids, query, filters, move_to_active, goal } = args;
      const retrieved = await context.retrieve({
        project: project_id,
        ids: segment_ids,
        about: query,
        filters: fromFilters(filters),
        activate: move_to_active,
        goal,
        maxBytes: textRoom(call),
      });
      const { segments, moved, omitted } = retrieved;
      const refcounts = await context.refcounts(segments.map(({ meta }) => meta));
      const ids = segments.map(({ meta }) => meta.segmentId);
      return {
        retrieved_segments: segments.map((given) => toSegment(given, refcounts.get(given.meta) ?? 0)),
        moved_to_active: moved,
        segments_found: retrieved.found,
        omitted_segments: omitted,
        errors: toProblems(retrieved.problems),
        next_step: afterRetrieving(project_id, { ids, moved: move_to_active, omitted }),
      };
    },
  );
}

export function toSegment({ meta, text, pruneId }: Given, refcount: number): Segment {
  return { ...toSegmentInfo(meta, refcount), text, ...(pruneId !== undefined && { prune_id: pruneId }) };
}
