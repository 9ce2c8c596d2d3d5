import {
  type Backend,
  createLexicalBackend,
  estimateTokens,
  fewestKept,
  type PruneResult,
  prune,
  split,
} from '@jeeves/engine';
import { createMemoryStore } from '@jeeves/store';
import type { Scorer } from './baselines.ts';
import type { BenchCase } from './suites.ts';

/** A backend of Jeeves as a scorer, with the time each judgement took. */
export interface JeevesScorer extends Scorer {
  readonly backend: Backend;
  /** Milliseconds per 1,000 lines, one entry per case judged so far. */
  readonly times: number[];
}

/** What came of pruning one case with every option at its default. */
interface PrunedCase {
  readonly keptLines: ReadonlySet<number>;
  readonly keptShare: number;
  readonly violations: number;
}

export function jeevesScorers(): JeevesScorer[] {
  return [createLexicalBackend()].map((backend) => {
    const times: number[] = [];
    const score = async ({ goal, text, source }: BenchCase): Promise<ArrayLike<number>> => {
      const started = performance.now();
      const texts = split(text);
      const { scores } = await backend.judge({ goal, texts, source });
      times.push(((performance.now() - started) * 1000) / Math.max(1, texts.length));
      return scores;
    };
    return { name: `jeeves ${backend.name}`, backend, times, score };
  });
}

export async function pruneCase(backend: Backend, { id, goal, text, lines, source }: BenchCase): Promise<PrunedCase> {
  const result = await prune(
    { text, goal, source },
    {
      backend,
      store: createMemoryStore(),
      newId: () => id,
      now: () => 0,
      countTokens: (counted) => ({ tokens: estimateTokens(counted), method: 'estimate' }),
    },
  );
  const kept = new Set(lines.map((_, index) => index + 1));
  for (const { startLine, endLine } of result.gaps)
    for (let line = startLine; line <= endLine; line += 1) kept.delete(line);
  const keptShare = lines.length === 0 ? 1 : kept.size / lines.length;
  return { keptLines: kept, keptShare, violations: violationsOf(result, text, kept.size) };
}

/** Promises that hold for every result: the limits, no growth, and the raw text once the gaps are filled again. */
function violationsOf(result: PruneResult, text: string, keptCount: number): number {
  const lines = split(text);
  const broken = [
    keptCount < (fewestKept(lines.length) ?? 0),
    result.text.length > text.length,
    refilled(result, text) !== text,
    result.warnings.includes('internal_error'),
  ];
  return broken.filter(Boolean).length;
}

function refilled(result: PruneResult, text: string): string {
  const lines = split(text);
  let [rest, whole] = [result.text, ''];
  let next = 1;
  for (const { startLine, endLine, marker } of result.gaps) {
    const before = lines.rawRange(next - 1, startLine - 1);
    if (!rest.startsWith(before + marker)) return '';
    rest = rest.slice(before.length + marker.length + lines.ending(endLine - 1).length);
    whole += before + lines.rawRange(startLine - 1, endLine);
    next = endLine + 1;
  }
  return whole + rest;
}
