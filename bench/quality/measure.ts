import { randomBytes } from 'node:crypto';
import { createEmbeddedBackend, detectSource, newPruneId, split } from '@jeeves/engine';
import { exactCounter } from '../../packages/cli/src/bench/count.ts';
import { type Budget, type PrunedRow, type PruneTools, pruneRow } from '../../packages/cli/src/bench/prune.ts';
import { BASELINES } from './baselines.ts';
import { fill } from './fill.ts';
import { type Bins, binned } from './reliability.ts';
import type { BenchCase } from './suites.ts';

/** What a reader asks for: four budgets, and nothing at all. */
export interface Point extends Budget {
  readonly label: string;
}

export interface CaseResult {
  readonly source: BenchCase['source'];
  /** How many gold lines there are. */
  readonly gold: number;
  /** Ours, one entry per point. */
  readonly ours: readonly PrunedRow[];
  /** Recall of each baseline at each point; at the defaults in as many tokens as ours took. */
  readonly baselines: readonly (readonly number[])[];
  readonly bins: Bins;
  /** Whether the text alone tells what it is. */
  readonly detected: boolean;
}

export type Measure = (benchCase: BenchCase) => Promise<CaseResult>;

const DEFAULTS: Point = { label: 'defaults' };
const LOG_POINTS: readonly Point[] = [
  ...[500, 1000, 2000, 4000].map((maxTokens) => ({ label: maxTokens.toLocaleString('en-US'), maxTokens })),
  DEFAULTS,
];
const OTHER_POINTS: readonly Point[] = [
  ...[0.1, 0.2, 0.3, 0.4].map((share) => ({ label: `${share * 100} %`, share })),
  DEFAULTS,
];

/** The room for the cause of a failure does not grow with its log; the part of a file that matters does. */
export function pointsOf(source: BenchCase['source']): readonly Point[] {
  return source === 'logs' ? LOG_POINTS : OTHER_POINTS;
}

/** Measures one case after another with one backend. */
export async function createMeasure(): Promise<Measure> {
  const count = rememberingLast(await exactCounter());
  const tools: PruneTools = {
    backend: createEmbeddedBackend(),
    newId: () => newPruneId(randomBytes),
    now: Date.now,
    count,
  };
  return async (benchCase) => {
    const { goal, text, source, gold } = benchCase;
    const texts = split(text);
    const lines = Array.from({ length: texts.length }, (_, at) => texts.at(at));
    const ours: PrunedRow[] = [];
    // A foreign goal has nothing to find: only what it gets unasked is of interest.
    for (const point of gold.length === 0 ? [DEFAULTS] : pointsOf(source)) {
      ours.push(await pruneRow(benchCase, point, tools));
    }
    const { scores } = await tools.backend.judge({ goal, texts, source });
    return {
      source,
      gold: gold.length,
      ours,
      baselines: gold.length === 0 ? [] : baselineRecalls(benchCase, lines, ours, count),
      bins: binned(scores, lines, new Set(gold)),
      detected: detectSource(texts) === source,
    };
  };
}

function baselineRecalls(
  { goal, gold }: BenchCase,
  lines: readonly string[],
  ours: readonly PrunedRow[],
  count: (text: string) => number,
): number[][] {
  // The vocabulary joins blank lines to the line end before them.
  const prices = lines.map((line) => (line.trim() === '' ? 0 : count(`${line}\n`)));
  return BASELINES.map(({ pieces, inOrder }) => {
    const ordered = { pieces: pieces(lines, goal), inOrder };
    return ours.map(({ maxTokens, tokensAfter }) => {
      const kept = fill(prices, maxTokens ?? tokensAfter, ordered);
      return gold.filter((line) => kept[line - 1] === 1).length / gold.length;
    });
  });
}

/** Each case is pruned several times, and its raw text need not be counted again. */
function rememberingLast(count: (text: string) => number): (text: string) => number {
  let [last, tokens] = ['', 0];
  return (text) => {
    if (text.length < 1000) return count(text);
    if (text !== last) [last, tokens] = [text, count(text)];
    return tokens;
  };
}
