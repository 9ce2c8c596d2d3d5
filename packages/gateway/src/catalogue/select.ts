import { worthNaming, worthShowing } from '../rank/cut.ts';
import type { Ranker } from '../rank/ranker.ts';
import type { CatalogueSnapshot, UpstreamTool } from '../upstream/upstream.ts';
import type { ToolFilter } from './model-filter.ts';

export interface SelectOptions {
  readonly ranker: Ranker;
  /** The most tools whose definitions a goal selects. */
  readonly cap: number;
  /** Asked first, where one is configured. */
  readonly filter?: ToolFilter | undefined;
}

/** What a goal selects, the best first. */
export interface Selection {
  /** Tools that are worth their whole definition. */
  readonly best: readonly UpstreamTool[];
  /** Tools that are worth a line. */
  readonly others: readonly UpstreamTool[];
  /** Nothing fits the goal well. */
  readonly weak: boolean;
}

export const DEFAULT_CAP = 8;

/** Which tools a caller is shown, in the order in which they serve the goal; all of them when there is no goal. */
export async function selectTools(
  { tools }: CatalogueSnapshot,
  goal: string | undefined,
  { ranker, cap, filter }: SelectOptions,
  signal?: AbortSignal,
): Promise<Selection> {
  if (goal === undefined || goal === '') return { best: tools, others: [], weak: false };
  const { ranked, weak } = await ranker.assess(tools, goal, signal);
  const order = ranked.map(({ tool }) => tool);
  const chosen = order.length === 0 ? undefined : await filter?.choose(order, goal, signal);
  const best = chosen ?? worthShowing(ranked, cap).map(({ tool }) => tool);
  const named = worthNaming(ranked).map(({ tool }) => tool);
  return { best, others: named.filter((tool) => !best.includes(tool)), weak: chosen === undefined && weak };
}
