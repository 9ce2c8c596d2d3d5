import { worthShowing } from '../rank/cut.ts';
import type { Ranker } from '../rank/ranker.ts';
import type { CatalogueSnapshot, UpstreamTool } from '../upstream/upstream.ts';
import type { ToolFilter } from './model-filter.ts';

export interface SelectOptions {
  readonly ranker: Ranker;
  /** The most tools that a goal selects. */
  readonly cap: number;
  /** Asked first, where one is configured. */
  readonly filter?: ToolFilter | undefined;
}

export const DEFAULT_CAP = 10;

/** Which tools a caller is shown, in the order in which they serve the goal; all of them when there is no goal. */
export async function selectTools(
  { tools }: CatalogueSnapshot,
  goal: string | undefined,
  { ranker, cap, filter }: SelectOptions,
  signal?: AbortSignal,
): Promise<readonly UpstreamTool[]> {
  if (goal === undefined || goal === '' || tools.length === 0) return tools;
  const ranked = await ranker.rank(tools, goal, signal);
  const chosen = await filter?.choose(
    ranked.map(({ tool }) => tool),
    goal,
    signal,
  );
  return chosen ?? worthShowing(ranked, cap).map(({ tool }) => tool);
}
