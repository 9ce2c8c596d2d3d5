import { describe, expect, it } from 'vitest';
import { findCandidates } from '../../src/analysis/candidates.ts';
import { type Circumstances, DEFAULT_PRICES, priceClearing } from '../../src/analysis/clearing.ts';
import { advised, allTogether, planFor, recommend } from '../../src/analysis/plan.ts';
import { item, windowWith } from './items.ts';

const items = [10_000, 9000, 30_000, 30_000].map((tokens, at) => item(`s${at}`, { tokens, pinned: at !== 1 }));
const { tokensFrom } = windowWith(items);

describe('a clearing', () => {
  it('frees what is cleared and invalidates what comes after it', () => {
    // 60,000 tokens are written for 1.25 instead of read for 0.1; 9,000 are read for 0.1 no more.
    expect(priceClearing({ first: 1, tokens: 9000 }, tokensFrom, DEFAULT_PRICES)).toEqual({
      tokensFreed: 9000,
      cachedTokensInvalidated: 60_000,
      turnsToPayBack: 77,
      costUsd: 0.207,
      savedUsdPerTurn: 0.0027,
    });
  });

  it('at the end of the window costs nothing', () => {
    expect(priceClearing({ first: 3, tokens: 30_000 }, tokensFrom, DEFAULT_PRICES)).toMatchObject({
      cachedTokensInvalidated: 0,
      turnsToPayBack: 0,
      costUsd: 0,
    });
  });

  it('of several segments rewrites the cache once, from the first on', () => {
    const both = { first: 0, tokens: 40_000 };
    expect(priceClearing(both, tokensFrom, DEFAULT_PRICES)).toMatchObject({
      tokensFreed: 40_000,
      cachedTokensInvalidated: 39_000,
      turnsToPayBack: 12,
    });
  });

  const rates: [string, number, number, number | undefined][] = [
    ['without a cache it pays at once', 1, 1, 0],
    ['with free reads it never pays', 1.25, 0, undefined],
    ['with cheap writes it pays soon', 0.2, 0.1, 7],
  ];
  it.each(rates)('%s', (_, cacheWriteRate, cacheReadRate, turns) => {
    const prices = { inputPerMillion: 3, cacheWriteRate, cacheReadRate };
    expect(priceClearing({ first: 1, tokens: 9000 }, tokensFrom, prices).turnsToPayBack).toBe(turns);
  });

  it('of nothing is nothing', () => {
    expect(priceClearing({ first: 4, tokens: 0 }, tokensFrom, DEFAULT_PRICES)).toMatchObject({
      tokensFreed: 0,
      cachedTokensInvalidated: 0,
    });
  });
});

describe('recommendations and plans', () => {
  const window = windowWith([
    item('read1', { type: 'code', subject: { key: 'file:a' }, tokens: 500 }),
    item('log1', { tokens: 300 }),
    item('read2', { type: 'code', subject: { key: 'file:a' }, pinned: true }),
    item('log2', { tokens: 400 }),
    item('young', { type: 'summary', hours: 0, tokens: 5000 }),
  ]);
  const findings = findCandidates(window);
  const bill = { tokensFrom: window.tokensFrom, prices: DEFAULT_PRICES };

  it('group what goes for the same reason, and leave out what is worth its place', () => {
    const groups = recommend(findings, bill, { paybackTurns: 48, percent: 10 });
    expect(groups.map(({ reason, candidates }) => [reason, candidates.map(({ id }) => id)])).toEqual([
      ['logs that nothing refers to', ['log2', 'log1']],
      ['superseded by a later read or run of the same file or command', ['read1']],
    ]);
    expect(groups[0]?.clearing).toMatchObject({ tokensFreed: 700, cachedTokensInvalidated: 5100 });
  });

  // The logs pay back after 84 turns, the file that was read again after 134, all of them together after 49.
  const circumstances: [string, Circumstances, boolean[], number[]][] = [
    ['pay too late are listed, and not recommended', { paybackTurns: 48, percent: 89.9 }, [false, false], []],
    ['pay in one go are recommended for that', { paybackTurns: 49, percent: 10 }, [true, false, false], [3]],
    ['pay in time are in it, and are not advised twice', { paybackTurns: 84, percent: 10 }, [true, true, false], [3]],
    ['all pay alone are recommended alone', { paybackTurns: 134, percent: 10 }, [true, true], [2, 1]],
    [
      'make room where hardly any is left are recommended anyway',
      { paybackTurns: 48, percent: 90 },
      [true, true],
      [2, 1],
    ],
  ];
  it.each(circumstances)('that %s', (_, given, worthwhile, counts) => {
    const groups = recommend(findings, bill, given);
    expect(groups.map((group) => group.worthwhile)).toEqual(worthwhile);
    expect(advised(groups).map(({ count }) => count)).toEqual(counts);
  });

  it('in one go name their segments and the price of all', () => {
    const [all] = recommend(findings, bill, { paybackTurns: 49, percent: 10 });
    expect(all).toMatchObject({ reason: 'everything worth stashing in one go', clearing: { turnsToPayBack: 49 } });
    expect(all?.candidates.map(({ id }) => id)).toEqual(['read1', 'log2', 'log1']);
  });

  it('that pay alone do not carry what would cost more than it brings', () => {
    const large = windowWith([
      item('note', { type: 'note', tokens: 100 }),
      item('pinned', { tokens: 50_000, pinned: true }),
      item('log', { tokens: 100_000 }),
    ]);
    const found = findCandidates(large);
    const late = { ...bill, tokensFrom: large.tokensFrom };
    const groups = recommend(found, late, { paybackTurns: 50, percent: 10 });
    expect(groups.map(({ count, worthwhile }) => [count, worthwhile])).toEqual([
      [1, true],
      [1, false],
    ]);
    expect(allTogether(found, late).turnsToPayBack).toBe(6);
  });

  it('all at once rewrite the cache from the first of them on, and count themselves alone', () => {
    expect(findings.count).toBe(4);
    expect(allTogether(findings, bill)).toMatchObject({
      count: 3,
      tokensFreed: 1200,
      cachedTokensInvalidated: 5100,
    });
    const nothing = findCandidates(windowWith([]));
    expect(allTogether(nothing, { ...bill, tokensFrom: [0] })).toMatchObject({
      count: 0,
      tokensFreed: 0,
      turnsToPayBack: 0,
    });
  });

  const targets: [number, string[], string][] = [
    [400, ['read1'], 'stash 1 segment: target met'],
    [900, ['read1', 'log2'], 'stash 2 segments: target met'],
    [9000, ['read1', 'log2', 'log1'], 'stash 3 segments: partial (1200/9000 tokens)'],
  ];
  it.each(targets)('a plan for %d tokens takes %j', (target, ids, reason) => {
    const plan = planFor(target, findings, bill);
    expect(plan.candidates.map(({ id }) => id)).toEqual(ids);
    expect(plan.reason).toBe(reason);
  });

  it('a plan names two hundred segments at most, and says what it leaves open', () => {
    const many = windowWith(Array.from({ length: 300 }, (_, at) => item(`n${at}`, { tokens: 10 })));
    const plan = planFor(2500, findCandidates(many), { ...bill, tokensFrom: many.tokensFrom });
    expect(plan.candidates).toHaveLength(200);
    expect(plan.reason).toBe('stash 200 segments: partial (2000/2500 tokens)');
  });

  it('a plan without candidates says so', () => {
    expect(planFor(1, findCandidates(windowWith([])), bill).reason).toBe('no candidates');
  });
});
