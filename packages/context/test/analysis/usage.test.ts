import { describe, expect, it } from 'vitest';
import { adviceOn, warningsAt } from '../../src/analysis/advice.ts';
import { findCandidates } from '../../src/analysis/candidates.ts';
import { DEFAULT_PRICES } from '../../src/analysis/clearing.ts';
import { healthOf } from '../../src/analysis/health.ts';
import type { Item } from '../../src/analysis/item.ts';
import { recommend } from '../../src/analysis/plan.ts';
import { fillOf, type UsageFigures, usageOf } from '../../src/analysis/usage.ts';
import { item, NOW, windowWith } from './items.ts';

const mixed = [
  item('a', { tokens: 10, task: 't' }),
  item('b', { tokens: 20, type: 'code', pinned: true, hours: 48 }),
  item('c', { tokens: 30, hours: 0.5 }),
];

function figures(items: readonly Item[]): UsageFigures {
  return usageOf(items, NOW);
}

describe('usage', () => {
  it('is counted by type and task', () => {
    const usage = figures(mixed);
    expect({
      ...usage,
      tokensByType: Object.fromEntries(usage.tokensByType),
      segmentsByType: Object.fromEntries(usage.segmentsByType),
      tokensByTask: Object.fromEntries(usage.tokensByTask),
    }).toEqual({
      totalTokens: 60,
      totalSegments: 3,
      tokensByType: { log: 40, code: 20 },
      segmentsByType: { log: 2, code: 1 },
      tokensByTask: { '': 50, t: 10 },
      oldestHours: 48,
      newestHours: 0.5,
      pinnedSegments: 1,
      pinnedTokens: 20,
    });
  });

  it('of nothing is zero', () => {
    expect(figures([])).toMatchObject({ totalTokens: 0, oldestHours: 0, newestHours: 0 });
  });
});

describe('health', () => {
  const scores: [string, readonly Item[], number, number][] = [
    ['an empty window', [], 0, 100],
    ['an unknown but full window', [], 100, 0],
    ['one fresh segment', [item('a', { hours: 0 })], 10, 95],
    ['one kind alone', [item('a', { hours: 0 }), item('b', { hours: 0 })], 10, 90],
    ['a mixture', [item('a', { hours: 0 }), item('b', { hours: 0, type: 'code' })], 10, 100],
    ['a day of age', [item('a', { hours: 24 }), item('b')], 10, 88],
    ['a year of age', [item('a', { hours: 8760 }), item('b')], 10, 70],
    ['a window over its limit', [item('a')], 130, 4.8],
  ];
  it.each(scores)('%s', (_, items, current, score) => {
    expect(healthOf(figures(items), fillOf(current, 100)).score).toBe(score);
  });
});

function messages(items: readonly Item[]): string {
  return adviceOn(figures(items), fillOf(10, 100), [])
    .map(({ message }) => message)
    .join(' ');
}

describe('advice', () => {
  const advised: [number, string, string][] = [
    [95, 'urgent', 'prune'],
    [90, 'urgent', 'prune'],
    [80, 'high', 'prune'],
    [60, 'medium', 'stash'],
    [50, 'low', 'stash'],
    [49, 'low', 'none'],
  ];
  it.each(advised)('at %d percent is %s: %s', (percent, priority, action) => {
    expect(adviceOn(figures([]), fillOf(percent, 100), [])[0]).toMatchObject({ priority, action });
  });

  it('names age, a flood of logs, and pins on everything', () => {
    expect(messages([item('a', { hours: 30 })])).toContain('30 hours old');
    expect(messages([item('a'), item('b')])).toContain('60 % of the segments are logs');
    expect(messages([item('a', { pinned: true })])).toContain('Every segment is pinned');
    expect(messages([item('a', { type: 'code' })])).toBe('The context is 10 % full: healthy.');
  });

  it('recommends what pays in time, and says where room is the reason', () => {
    const window = windowWith([item('a', { tokens: 100 }), item('b', { tokens: 9900, pinned: true })]);
    const findings = findCandidates(window);
    const bill = { tokensFrom: window.tokensFrom, prices: DEFAULT_PRICES };
    const advised = (percent: number, paybackTurns: number): string => {
      const groups = recommend(findings, bill, { paybackTurns, percent });
      const advice = adviceOn(figures([]), fillOf(percent, 100), groups, paybackTurns);
      return advice
        .slice(1)
        .map(({ message }) => message)
        .join(' ');
    };
    const sentence = 'Consider stashing 1 segment, logs that nothing refers to: frees 100 tokens, pays back after';
    expect(advised(89.9, 50)).toBe('');
    expect(advised(10, 1139)).toBe(`${sentence} 1139 turns.`);
    expect(advised(90, 50)).toBe(`${sentence} 1139 turns, but the context is nearly full and room matters more.`);
  });

  const warned: [number, RegExp | undefined][] = [
    [59, undefined],
    [60, /60 %/],
    [80, /80 %/],
    [90, /90 %/],
    [101, /over its limit: 101 of 100/],
  ];
  it.each(warned)('warns at %d percent: %s', (percent, warning) => {
    const [first = ''] = warningsAt(fillOf(percent, 100));
    if (warning === undefined) expect(first).toBe('');
    else expect(first).toMatch(warning);
  });
});
