import type { TokenCounter } from './estimate.ts';
import type { Gap } from './render.ts';
import type { Lines } from './split.ts';

export interface PruneStats {
  readonly originalLines: number;
  readonly keptLines: number;
  readonly prunedLines: number;
  /** Pruned lines over all lines, not rounded: it must compare with the caller's limit. */
  readonly prunedRatio: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** `estimate` when either text was too large to count. */
  readonly tokensMethod: 'o200k' | 'estimate';
  readonly elapsedMs: number;
  readonly usedFallback: boolean;
  readonly backend: string;
  /** What the backend reports of itself, in its own words. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

interface Texts {
  readonly lines: Lines;
  readonly gaps: readonly Gap[];
  readonly raw: string;
  readonly text: string;
}

type RunFacts = Pick<PruneStats, 'elapsedMs' | 'usedFallback' | 'backend' | 'facts'>;

export function statsOf({ lines, gaps, raw, text }: Texts, countTokens: TokenCounter, run: RunFacts): PruneStats {
  const prunedLines = gaps.reduce((sum, gap) => sum + gap.lineCount, 0);
  const before = countTokens(raw);
  const after = text === raw ? before : countTokens(text);
  return {
    originalLines: lines.length,
    keptLines: lines.length - prunedLines,
    prunedLines,
    prunedRatio: lines.length === 0 ? 0 : prunedLines / lines.length,
    tokensBefore: before.tokens,
    tokensAfter: after.tokens,
    tokensMethod: before.method === 'o200k' && after.method === 'o200k' ? 'o200k' : 'estimate',
    ...run,
  };
}
