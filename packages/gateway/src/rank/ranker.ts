import type { Backend } from '@jeeves/engine';
import { buildIndex, type CatalogueIndex } from './catalogue-index.ts';
import type { Rankable } from './document.ts';
import { scoreTools } from './rank.ts';
import { type RankSettings, SETTINGS } from './settings.ts';

export { worthShowing } from './cut.ts';

export interface RankedTool<Tool> {
  readonly tool: Tool;
  /** 0 when the tool has nothing in common with the goal. */
  readonly score: number;
}

/** Puts the tools of a catalogue in the order in which they serve a goal. */
export interface Ranker {
  /** All of them, best first; equals stay in the catalogue's order. The same array object is prepared only once. */
  readonly rank: <Tool extends Rankable>(
    tools: readonly Tool[],
    goal: string,
    signal?: AbortSignal,
  ) => Promise<RankedTool<Tool>[]>;
  /** The same, and whether even the best of them fits badly. */
  readonly assess: <Tool extends Rankable>(
    tools: readonly Tool[],
    goal: string,
    signal?: AbortSignal,
  ) => Promise<Assessment<Tool>>;
}

export interface Assessment<Tool> {
  readonly ranked: RankedTool<Tool>[];
  readonly weak: boolean;
  /** How much of the goal the best tools speak of, 0..1; words that no tool has count as not spoken of. */
  readonly fit: number;
}

/** How many the backend is asked about: judging is its business, finding candidates is the index's. */
const CANDIDATES = 40;

export function createRanker(backend?: Backend, settings: RankSettings = SETTINGS): Ranker {
  const indexes = new WeakMap<readonly Rankable[], CatalogueIndex>();

  function indexOf(tools: readonly Rankable[]): CatalogueIndex {
    const known = indexes.get(tools) ?? buildIndex(tools, settings);
    indexes.set(tools, known);
    return known;
  }

  async function assess<Tool extends Rankable>(
    tools: readonly Tool[],
    goal: string,
    signal?: AbortSignal,
  ): Promise<Assessment<Tool>> {
    const index = indexOf(tools);
    const { scores, fit } = scoreTools(index, goal, settings);
    const order = best(scores);
    if (backend !== undefined) await consult(backend, { index, goal, order, scores, signal });
    const ranked = best(scores, order).map((at) => ({ tool: tools[at] as Tool, score: scores[at] ?? 0 }));
    return { ranked, weak: fit < settings.weakFit, fit };
  }

  interface Question {
    readonly index: CatalogueIndex;
    readonly goal: string;
    readonly order: readonly number[];
    readonly scores: Float64Array;
    readonly signal: AbortSignal | undefined;
  }

  /** Adds the backend's word on the best candidates. One that fails changes nothing. */
  async function consult(judge: Backend, { index, goal, order, scores, signal }: Question): Promise<void> {
    const candidates = order.slice(0, CANDIDATES).filter((at) => (scores[at] ?? 0) > 0);
    if (candidates.length < 2) return;
    const texts = { length: candidates.length, at: (place: number) => index.texts[candidates[place] ?? 0] ?? '' };
    try {
      const asked = { goal, texts, source: 'items' as const, ...(signal !== undefined && { signal }) };
      const { scores: judged } = await judge.judge(asked);
      for (const [place, at] of candidates.entries()) {
        scores[at] = (scores[at] ?? 0) + settings.backend * (judged[place] ?? 0);
      }
    } catch {
      // The index's own order stands.
    }
  }

  return { assess, rank: async (tools, goal, signal) => (await assess(tools, goal, signal)).ranked };
}

/** Places of the scores, highest first. `among` keeps its order where scores are equal. */
function best(scores: Float64Array, among: readonly number[] = Array.from(scores.keys())): number[] {
  return [...among].sort((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0));
}
