import { DEFAULTS, estimateTokens, fewestKept } from '@jeeves/engine';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { CANONICAL, numberedLines, scoring, world } from './world.ts';

/** Ratios as fractions, so that the bound can be computed without rounding. */
const RATIOS = [
  [0, 1],
  [1, 10],
  [29, 100],
  [1, 3],
  [1, 2],
  [11, 20],
  [57, 100],
  [7, 10],
  [9, 10],
  [999, 1000],
  [1, 1],
] as const;
const COUNTS = [0, 1, 2, 3, 7, 10, 20, 33, 100, 420, 1001] as const;
const CASES = COUNTS.flatMap((count) =>
  RATIOS.map(([part, whole]) => ({ count, ratio: part / whole, fewest: count - Math.floor((count * part) / whole) })),
);

describe('how much may go', () => {
  verifies('text.limits.max-prune-ratio', 'the bound is ⌈n·(1−ratio)⌉ exactly, for every n and ratio', () => {
    const wrong = CASES.filter(
      ({ count, ratio, fewest }) => fewestKept(count, { maxPruneRatio: ratio, minKeepLines: 0 }) !== fewest,
    );
    expect(wrong).toEqual([]);
  });

  verifies('text.limits.max-prune-ratio', 'no result removes more, though no line serves the goal', async () => {
    const { prune } = world({ backend: scoring() });
    for (const { count, ratio, fewest } of CASES) {
      const limits = { maxPruneRatio: ratio, minKeepLines: 0 };
      const { stats } = await prune({ ...CANONICAL, text: ticks(count), goal: 'zebra', source: 'logs', limits });
      expect(stats.keptLines, `${count} lines at ${ratio}`).toBeGreaterThanOrEqual(fewest);
      expect(stats.prunedRatio).toBeLessThanOrEqual(ratio);
    }
  });

  verifies('text.limits.max-prune-ratio', 'what may go does go when nothing serves the goal', async () => {
    const limits = { maxPruneRatio: 0.9, minKeepLines: 0 };
    const { stats } = await world({ backend: scoring() }).prune({
      ...CANONICAL,
      text: ticks(1000),
      goal: 'zebra',
      source: 'logs',
      limits,
    });
    expect(stats.keptLines).toBeLessThan(500);
  });

  verifies('text.limits.min-keep-lines', 'at least the minimum stays, over the ratio', async () => {
    const { prune } = world({ backend: scoring() });
    for (const minKeepLines of [0, 1, 5, 40, 99, 100]) {
      const limits = { maxPruneRatio: 1, minKeepLines };
      const { stats } = await prune({ ...CANONICAL, text: ticks(100), goal: 'zebra', source: 'logs', limits });
      expect(stats.keptLines).toBeGreaterThanOrEqual(minKeepLines);
      expect(stats.usedFallback).toBe(false);
    }
  });

  verifies('text.limits.rule-over-example', '420 lines at 0.55 keep at least 189', async () => {
    const limits = { maxPruneRatio: 0.55, minKeepLines: 40 };
    const { stats } = await world({ backend: scoring() }).prune({
      ...CANONICAL,
      text: ticks(420),
      goal: 'zebra',
      source: 'logs',
      limits,
    });
    expect(stats.originalLines).toBe(420);
    expect(stats.keptLines).toBeGreaterThanOrEqual(189);
    expect(stats.prunedRatio).toBeLessThanOrEqual(0.55);
  });

  verifies('text.limits.constraints-unmet', 'a minimum above the number of lines gives the raw text', async () => {
    const text = 'L1\nL2\nL3';
    const { prune } = world();
    const result = await prune({ ...CANONICAL, text, goal: 'L1', limits: { maxPruneRatio: 1, minKeepLines: 4 } });
    expect(result).toMatchObject({ text, gaps: [], warnings: ['constraints_unmet'], stats: { usedFallback: true } });
    const satisfiable = await prune({ ...CANONICAL, text, goal: 'L1', limits: { maxPruneRatio: 1, minKeepLines: 3 } });
    expect(satisfiable).toMatchObject({ text, gaps: [], warnings: [], stats: { usedFallback: false } });
  });

  verifies('text.limits.defaults', 'without limits every line may go, and what stays has a bound', async () => {
    expect([DEFAULTS.maxPruneRatio, DEFAULTS.minKeepLines]).toEqual([1, 0]);
    expect(DEFAULTS.capTokens).toEqual({ code: 4000, logs: 3000, docs: 4000 });
    const none = await world({ backend: scoring() }).prune({ text: ticks(1000), goal: 'zebra', source: 'logs' });
    expect(none.stats.keptLines).toBe(0);
    const all = world({ backend: scoring(() => 1) });
    for (const source of ['code', 'logs', 'docs'] as const) {
      const { text } = await all.prune({ text: ticks(3000), goal: 'zebra', source });
      expect(estimateTokens(text)).toBeLessThanOrEqual(DEFAULTS.capTokens[source]);
    }
  });
});

/** Log lines that report nothing: only the limits hold them. */
function ticks(count: number): string {
  return numberedLines(count, (line) => `2026-01-01 00:00:00 INFO tick ${line} of the idle scheduler`);
}
