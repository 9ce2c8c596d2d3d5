import type { SourceType } from './backends/backend.ts';
import type { MarkerStyle } from './marker.ts';

/** How much may go. Lower bounds on what stays: they are never traded for anything. */
export interface Limits {
  /** The most lines that may be removed, as a share of all. Default 0.9. */
  readonly maxPruneRatio?: number;
  /** At least so many lines stay; a text with fewer cannot satisfy it. Default 5, or all of a shorter text. */
  readonly minKeepLines?: number;
  /** Wish for the size of the result in tokens: lines go, worst first, until it fits or a limit is reached. */
  readonly maxTokens?: number;
}

export interface PruneRequest {
  readonly text: string;
  /** What the reader wants to know. Data, never instructions. */
  readonly goal: string;
  /** Default `auto`: told from the text. */
  readonly source?: SourceType | 'auto';
  readonly limits?: Limits;
  /** The score from which a line counts as serving the goal, 0..1. A higher one never keeps more lines. Default 0.5. */
  readonly threshold?: number;
  /** Default `compact`. */
  readonly markers?: MarkerStyle;
  /** Default true. Without markers the gaps are still listed. */
  readonly includeMarkers?: boolean;
  /** Default false. */
  readonly annotateLines?: boolean;
  /** Keep gaps that are no larger than their marker, and never return more than the raw text. Default true. */
  readonly worthwhileGaps?: boolean;
  /** Number of the text's first line. Default 1. */
  readonly firstLine?: number;
  /** Tokens that the caller adds around the result and that count against `maxTokens` as well. Default 0. */
  readonly aroundTokens?: number;
  /** Give up and return the raw text after so long. Default: no deadline. */
  readonly timeoutMs?: number;
  /** Ends a judgement that waits for somebody else, when nobody wants the result any more. */
  readonly signal?: AbortSignal;
  /** Texts with more UTF-16 units than this are returned raw. Default: no bound. */
  readonly maxInputChars?: number;
}

export interface PruneDefaults
  extends Required<Omit<PruneRequest, 'text' | 'goal' | 'limits' | 'aroundTokens' | 'timeoutMs' | 'signal' | 'maxInputChars'>> {
  readonly maxPruneRatio: number;
  readonly minKeepLines: number;
}

export const DEFAULTS: PruneDefaults = {
  source: 'auto',
  maxPruneRatio: 0.9,
  minKeepLines: 5,
  threshold: 0.5,
  markers: 'compact',
  includeMarkers: true,
  annotateLines: false,
  worthwhileGaps: true,
  firstLine: 1,
};

/** The fewest of `count` lines that may stay under the limits, or undefined when they cannot be met. */
export function fewestKept(count: number, limits: Limits = {}): number | undefined {
  const least = limits.minKeepLines ?? Math.min(DEFAULTS.minKeepLines, count);
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
