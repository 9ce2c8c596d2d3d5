import { estimateTokens, type Gap, type PruneDependencies, prune, split } from '@jeeves/engine';
import { createMemoryStore } from '@jeeves/store';
import type { BenchRow } from './row.ts';

/** How many tokens the result may have: so many, or a share of those of the text. Without either, the defaults decide. */
export interface Budget {
  readonly maxTokens?: number;
  readonly share?: number;
}

/** What came of pruning one case. */
export interface PrunedRow {
  /** Kept lines as ranges, from 1, both ends included. */
  readonly kept: readonly (readonly [first: number, last: number])[];
  readonly lines: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly gaps: number;
  readonly warnings: readonly string[];
  /** Share of the gold lines that are kept; absent when there are none. */
  readonly recall?: number;
  /** The most tokens allowed; absent when the defaults decide. */
  readonly maxTokens?: number;
}

/** Who judges, ids and clock as for `prune`, and how tokens are counted. */
export type PruneTools = Pick<PruneDependencies, 'backend' | 'newId' | 'now'> & {
  readonly count: (text: string) => number;
};

/** Prunes a case as the tools do: their defaults, and estimates where they estimate. What came of it is counted here. */
export async function pruneRow(
  { goal, text, source, gold = [] }: Pick<BenchRow, 'goal' | 'text' | 'source' | 'gold'>,
  { maxTokens: most, share }: Budget,
  { count, ...tools }: PruneTools,
): Promise<PrunedRow> {
  const tokensBefore = count(text);
  const maxTokens = share === undefined ? most : Math.max(1, Math.floor(share * tokensBefore));
  const result = await prune(
    { text, goal, source: source ?? 'auto', ...(maxTokens === undefined ? {} : { limits: { maxTokens } }) },
    {
      ...tools,
      store: createMemoryStore(),
      countTokens: (counted) => ({ tokens: estimateTokens(counted), method: 'estimate' }),
      exactTokens: async () => (counted) => ({ tokens: count(counted), method: 'o200k' }),
    },
  );
  const lines = split(text);
  const kept = keptRanges(lines.length, result.gaps);
  const needed = gold.filter((line) => line > lines.length || lines.at(line - 1).trim() !== '');
  return {
    kept,
    lines: lines.length,
    tokensBefore,
    tokensAfter: result.text === text ? tokensBefore : count(result.text),
    gaps: result.gaps.length,
    warnings: result.warnings,
    ...(needed.length === 0 ? {} : { recall: shareWithin(needed, kept) }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

export function shareOfTokens({ tokensBefore, tokensAfter }: PrunedRow): number {
  return tokensBefore === 0 ? 1 : tokensAfter / tokensBefore;
}

export function isOverBudget({ tokensAfter, maxTokens = Number.POSITIVE_INFINITY }: PrunedRow): boolean {
  return tokensAfter > maxTokens;
}

/** Over the lines of all rows: in a short text one gap would be many in 1,000 lines. */
export function gapsPerThousand(rows: readonly PrunedRow[]): number {
  const [gaps, lines] = rows.reduce(([gaps, lines], row) => [gaps + row.gaps, lines + row.lines], [0, 0]);
  return (1000 * gaps) / Math.max(1, lines);
}

/** What lies between the gaps. */
export function keptRanges(
  lineCount: number,
  gaps: readonly Pick<Gap, 'startLine' | 'endLine'>[],
): (readonly [number, number])[] {
  const ends = [...gaps, { startLine: lineCount + 1, endLine: lineCount }];
  return ends
    .map(({ startLine }, at) => [(ends[at - 1]?.endLine ?? 0) + 1, startLine - 1] as const)
    .filter(([first, last]) => first <= last);
}

function shareWithin(lines: readonly number[], ranges: PrunedRow['kept']): number {
  const found = lines.filter((line) => ranges.some(([first, last]) => line >= first && line <= last));
  return found.length / lines.length;
}
