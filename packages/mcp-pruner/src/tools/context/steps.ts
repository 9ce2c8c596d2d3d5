import type { GarbageAnalysis, Matches, Plan, UsageAnalysis } from '@jeeves/context';
import type { NextStep, SegmentProblem } from '@jeeves/protocol';

// After each answer, the one step worth taking. Tools are named as agents know them.

export function afterUsage(project_id: string, analysis: UsageAnalysis, task_id?: string): NextStep {
  const { fill, usage, together, advised, plan } = analysis;
  const full = Math.round(fill.percent);
  if (usage.totalSegments === 0) {
    const why = 'No segment is known: send segment_summaries and recent_messages, so that there is something to judge.';
    return { tool: 'context_analyze_usage', why, arguments: { project_id } };
  }
  if (fill.percent < ACT_AT || together.tokensFreed === 0) {
    const why = fill.percent < ACT_AT ? `${full} % full: look again in some 20 turns.` : 'Nothing can go without loss.';
    return { tool: 'context_analyze_usage', why, arguments: { project_id } };
  }
  const scope = { project_id, ...(task_id !== undefined && { task_id }) };
  if (plan !== undefined) {
    const reached = plan.clearing.tokensFreed < plan.target ? 'closer to' : 'to';
    const why = `${full} % full: plan how to get ${reached} ${AIM_AT} %${payback(plan.clearing.turnsToPayBack)}.`;
    return { tool: 'context_gc_analyze', why, arguments: { ...scope, target_tokens: plan.target } };
  }
  const [best] = advised;
  if (best === undefined) {
    const why = `${full} % full, and none of the clearings pays back soon: look again in some 20 turns.`;
    return { tool: 'context_analyze_usage', why, arguments: { project_id } };
  }
  const why = `${full} % full: see what to stash. ${frees(best)}.`;
  return { tool: 'context_gc_analyze', why, arguments: scope };
}

/** From this fill on something is to be done, and down to that one. */
const ACT_AT = 60;
export const AIM_AT = 50;

export function afterGarbage(project_id: string, { plan, recommendations }: GarbageAnalysis): NextStep {
  const best = plan ?? recommendations.find(({ worthwhile }) => worthwhile);
  if (best === undefined || best.candidates.length === 0) {
    const why =
      recommendations.length === 0
        ? 'Everything is in use: nothing to prune.'
        : 'None of the clearings pays back soon.';
    return { tool: 'context_analyze_usage', why, arguments: { project_id } };
  }
  const segment_ids = best.candidates.map(({ id }) => id);
  const more = 'count' in best && best.count > segment_ids.length ? ` with all ${best.count} segments` : '';
  const why = `${frees(best)}${more}; stashed segments can be retrieved.`;
  return { tool: 'context_gc_prune', why, arguments: { project_id, segment_ids, action: 'stash' } };
}

function frees({ clearing }: Pick<Plan, 'clearing'>): string {
  return `Frees ${clearing.tokensFreed} tokens${payback(clearing.turnsToPayBack)}`;
}

function payback(turns: number | undefined): string {
  return turns === undefined ? '' : `, pays back after ${turns} ${turns === 1 ? 'turn' : 'turns'}`;
}

interface Done {
  readonly done: readonly string[];
  readonly errors: readonly SegmentProblem[];
  /** Of those done, the ones of which only a preview is known. */
  readonly previews: readonly string[];
}

export function afterDeleting(project_id: string, { done, errors }: Done): NextStep {
  if (done.length === 0) return afterNothing(project_id, errors);
  const why = 'Take the deleted segments out of your context, then look how full it is.';
  return { tool: 'context_analyze_usage', why, arguments: { project_id } };
}

export function afterStashing(project_id: string, { done, errors, previews }: Done): NextStep {
  if (done.length === 0) return afterNothing(project_id, errors);
  if (previews.length > 0) {
    const why =
      'Of the segments in previews_only no more than the preview is known: send their texts as segments [{segment_id, text}] before they leave your context.';
    return { tool: 'context_stash', why, arguments: { project_id } };
  }
  const why = 'Take the stashed segments out of your context; when one is needed again, find it with this.';
  return { tool: 'context_search_stashed', why, arguments: { project_id } };
}

/** Nothing was done: what stood in the way says what to do. */
function afterNothing(project_id: string, errors: readonly SegmentProblem[]): NextStep {
  const pinned = errors.filter(({ code }) => code === 'SEGMENT_PINNED').map(({ segment_id }) => segment_id);
  if (pinned.length > 0) {
    const why = 'All that could go is pinned: unpin what is no longer needed.';
    return { tool: 'context_gc_unpin', why, arguments: { project_id, segment_ids: pinned } };
  }
  return { tool: 'context_get_working_set', why: 'It lists the segments there are.', arguments: { project_id } };
}

export function afterPinning(project_id: string, done: number): NextStep {
  if (done === 0) return afterNothing(project_id, []);
  return { tool: 'context_gc_analyze', why: 'See what may go now.', arguments: { project_id } };
}

export function afterSearch(project_id: string | undefined, { matches }: Matches, query: string | undefined): NextStep {
  const best = matches[0]?.meta;
  if (best === undefined) {
    const why =
      project_id === undefined ? 'Nothing fits: try other words.' : 'Nothing fits: try other words or all projects.';
    const args = { all_projects: true, ...(query !== undefined && { query }) };
    return { tool: 'context_search_stashed', why, arguments: args };
  }
  const args = {
    project_id: best.projectId,
    segment_ids: [best.segmentId],
    ...(query !== undefined && { goal: query }),
  };
  return { tool: 'context_retrieve_stashed', why: 'Gives the text of the best match back.', arguments: args };
}

export function afterRetrieving(
  project_id: string,
  { ids, moved, omitted }: { ids: readonly string[]; moved: boolean; omitted: readonly string[] },
): NextStep {
  if (omitted.length > 0) {
    const args = { project_id, segment_ids: omitted.slice(0, 200) };
    return { tool: 'context_retrieve_stashed', why: 'More was found than fits one answer.', arguments: args };
  }
  if (ids.length === 0) {
    return { tool: 'context_search_stashed', why: 'See what the stash has.', arguments: { project_id } };
  }
  if (moved) {
    const why = 'Pin what must stay in the context from now.';
    return { tool: 'context_gc_pin', why, arguments: { project_id, segment_ids: ids } };
  }
  const why = 'If you keep them in your context, say so.';
  return { tool: 'context_retrieve_stashed', why, arguments: { project_id, segment_ids: ids, move_to_active: true } };
}
