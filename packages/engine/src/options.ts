import type { SourceType } from './backends/backend.ts';
import type { MarkerStyle } from './marker.ts';

/** How much may go, and how much may stay. The first two are lower bounds on what stays: they are never traded for anything. */
export interface Limits {
  /** The most lines that may be removed, as a share of all. Default 1: no bound. */
  readonly maxPruneRatio?: number;
  /** At least so many lines stay; a text with fewer cannot satisfy it. Default 0. */
  readonly minKeepLines?: number;
  /**
   * So many tokens may be spent, markers included: as much stays as fits, the likeliest first. Only the two limits above
   * and what is protected may break it, with the warning `budget_unmet`.
   */
  readonly maxTokens?: number;
  /**
   * Without `maxTokens`, what is worth its tokens stays, and never more than this or than what suits the kind of text; the
   * same may break it. `Infinity` lifts both bounds.
   */
  readonly capTokens?: number;
}

export interface PruneRequest {
  readonly text: string;
  /** What the reader wants to know. Data, never instructions. */
  readonly goal: string;
  /** Default `auto`: told from the text. */
  readonly source?: SourceType | 'auto';
  readonly limits?: Limits;
  /** How sure a line must be to serve the goal, 0..1. A higher one never keeps more lines. Default 0.5. */
  readonly threshold?: number;
  /** Keep imports, signatures, errors and headings whatever they are worth. Default false. */
  readonly protectStructure?: boolean;
  /** Default `compact`. */
  readonly markers?: MarkerStyle;
  /** Default true. Without markers the gaps are still listed. */
  readonly includeMarkers?: boolean;
  /** Default false. */
  readonly annotateLines?: boolean;
  /** Tokens that the caller puts around the result, such as a closing line: they count against its bounds. Default 0. */
  readonly aroundTokens?: number;
  /** Number of the text's first line. Default 1. */
  readonly firstLine?: number;
  /** Give up and return the raw text after so long. Default: no deadline. */
  readonly timeoutMs?: number;
  /** Ends a judgement that waits for a service, when the result is no longer wanted. */
  readonly signal?: AbortSignal;
  /** Texts with more UTF-16 units than this are returned raw. Default: no bound. */
  readonly maxInputChars?: number;
}

export interface PruneDefaults
  extends Required<Omit<PruneRequest, 'text' | 'goal' | 'limits' | 'timeoutMs' | 'signal' | 'maxInputChars'>> {
  readonly maxPruneRatio: number;
  readonly minKeepLines: number;
  readonly capTokens: Readonly<Record<SourceType, number>>;
}

export const DEFAULTS: PruneDefaults = {
  source: 'auto',
  maxPruneRatio: 1,
  minKeepLines: 0,
  capTokens: { code: 4000, logs: 3000, docs: 4000 },
  threshold: 0.5,
  protectStructure: false,
  markers: 'compact',
  includeMarkers: true,
  annotateLines: false,
  aroundTokens: 0,
  firstLine: 1,
};

/** The fewest of `count` lines that may stay under the limits, or undefined when they cannot be met. */
export function fewestKept(count: number, limits: Limits = {}): number | undefined {
  const least = limits.minKeepLines ?? DEFAULTS.minKeepLines;
  if (least > count) return undefined;
  return Math.max(least, count - mostPruned(count, limits.maxPruneRatio ?? DEFAULTS.maxPruneRatio));
}

/** The largest number whose share of `count` is at most `ratio`, decided by that very comparison: a product may round past it. */
function mostPruned(count: number, ratio: number): number {
  let pruned = Math.min(count, Math.floor(count * ratio));
  while (pruned < count && (pruned + 1) / count <= ratio) pruned += 1;
  while (pruned > 0 && pruned / count > ratio) pruned -= 1;
  return pruned;
}
