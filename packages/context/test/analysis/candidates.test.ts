import { describe, expect, it } from 'vitest';
import { type Candidate, findCandidates } from '../../src/analysis/candidates.ts';
import type { Item } from '../../src/analysis/item.ts';
import type { Surroundings } from '../../src/analysis/window.ts';
import { item, NOW, windowWith } from './items.ts';

function ids(items: readonly Item[], more: Partial<Surroundings> = {}): string[] {
  return findCandidates(windowWith(items, more)).best.map(({ id }) => id);
}

function candidateOf(id: string, items: readonly Item[]): Candidate | undefined {
  return findCandidates(windowWith(items)).best.find((candidate) => candidate.id === id);
}

/** Why the first of two segments with the same text may go. */
function twice(more: Partial<Item>, other: Partial<Item> = {}): string | undefined {
  const later = item('y', { textHash: 'h', ...more, ...other, pinned: true });
  return candidateOf('x', [item('x', { textHash: 'h', ...more }), later])?.redundancy?.kind;
}

function scoreOf(more: Parameters<typeof item>[1]): number {
  return candidateOf('a', [item('a', more)])?.score ?? Number.NaN;
}

describe('roots', () => {
  const rooted: [string, Item, Partial<Surroundings>][] = [
    ['a pinned segment', item('a', { pinned: true }), {}],
    ['a segment of the current task', item('a', { task: 't', assigned: true }), { currentTask: 't' }],
    ['a segment of the current file', item('a', { type: 'code', file: './src/a.ts' }), { currentFile: 'src/a.ts' }],
    ['a recent message', item('a', { type: 'message' }), {}],
    ['a fresh decision', item('a', { type: 'decision', hours: 0.9 }), {}],
  ];
  it.each(rooted)('%s stays', (_, root, more) => {
    expect(ids([root, item('other')], more)).toEqual(['other']);
  });

  const free: [string, Item, Partial<Surroundings>][] = [
    ['an old decision', item('a', { type: 'decision', hours: 1.1 }), {}],
    ['a segment of another task', item('a', { task: 'u', assigned: true }), { currentTask: 't' }],
    ['a segment merely described during the task', item('a', { task: 't' }), { currentTask: 't' }],
    ['a segment of another file', item('a', { file: 'src/b.ts' }), { currentFile: 'src/a.ts' }],
  ];
  it.each(free)('%s may go', (_, segment, more) => {
    expect(ids([segment], more)).toEqual(['a']);
  });
});

it('the last ten messages stay, earlier ones may go', () => {
  const messages = Array.from({ length: 12 }, (_, at) => item(`m${at}`, { type: 'message', hours: 20 - at }));
  expect(ids([...messages].reverse())).toEqual(['m0', 'm1']);
});

describe('references', () => {
  const root = item('root', { pinned: true, references: ['b'] });

  it('hold what they name, and what that names, in circles too', () => {
    const b = item('b', { references: ['c'] });
    const c = item('c', { references: ['root', 'b'] });
    expect(ids([root, b, c, item('d', { references: ['b'] })])).toEqual(['d']);
  });

  it('hold the rest of their topic', () => {
    const held = item('held', { topic: 'x' });
    const other = item('other', { topic: 'y' });
    expect(ids([item('pin', { pinned: true, topic: 'x' }), held, other])).toEqual(['other']);
  });

  it('count against the score, each segment once', () => {
    const target = item('target');
    const source = item('a', { references: ['target', 'target'], hours: 0 });
    const unreferenced = candidateOf('target', [target]);
    const referenced = candidateOf('target', [target, source]);
    expect((unreferenced?.score ?? 0) - (referenced?.score ?? 0)).toBeCloseTo(0.1, 5);
    expect(referenced?.reason).toContain('low refcount (1)');
    expect(unreferenced?.reason).toContain('no references');
  });

  it('are followed in linear time', () => {
    const chain = Array.from({ length: 50_000 }, (_, at) =>
      item(`n${at}`, { references: [`n${at + 1}`], topic: 'all' }),
    );
    expect(ids([item('start', { pinned: true, references: ['n0'] }), ...chain])).toEqual([]);
  });
});

describe('redundant segments', () => {
  const old = item('old', { subject: { key: 'file:a' }, type: 'code', file: 'a', hours: 3 });
  const again = item('again', { subject: { key: 'file:a' }, type: 'code', file: 'a', hours: 1 });

  it('a file read again later supersedes the earlier read, even in the current file and task', () => {
    const window = { currentFile: 'a', currentTask: 't' };
    const both = [
      { ...old, task: 't', assigned: true },
      { ...again, task: 't', assigned: true },
    ];
    expect(ids(both, window)).toEqual(['old']);
    expect(findCandidates(windowWith(both, window)).best[0]?.reason).toContain('seen again later in again');
  });

  const parts: [string, Item['subject'], Item['subject'], boolean][] = [
    ['a part does not supersede the whole', { key: 'f' }, { key: 'f', lines: [1, 9] }, false],
    ['the whole supersedes a part', { key: 'f', lines: [1, 9] }, { key: 'f' }, true],
    ['a larger part supersedes a smaller', { key: 'f', lines: [3, 9] }, { key: 'f', lines: [1, 9] }, true],
    ['another part does not', { key: 'f', lines: [3, 19] }, { key: 'f', lines: [1, 9] }, false],
    ['another command does not', { key: 'command:a' }, { key: 'command:b' }, false],
  ];
  it.each(parts)('%s', (_, earlier, later, superseded) => {
    const [candidate] = findCandidates(
      windowWith([item('x', { subject: earlier }), item('y', { subject: later, pinned: true })]),
    ).best;
    expect(candidate?.redundancy?.kind === 'superseded').toBe(superseded);
  });

  it('the same text twice is a duplicate; two previews are only with the same size', () => {
    expect(twice({})).toBe('duplicate');
    expect(twice({ textComplete: false })).toBe('duplicate');
    expect(twice({ textComplete: false }, { tokens: 101 })).toBeUndefined();
    expect(twice({ type: 'message' })).toBeUndefined();
  });

  it('the output of a failed call goes once four segments have come after it', () => {
    const failed = item('failed', { failed: true, task: 't', assigned: true });
    const later = [1, 2, 3, 4].map((at) => item(`later${at}`, { pinned: true }));
    expect(ids([failed, ...later.slice(1)], { currentTask: 't' })).toEqual([]);
    expect(ids([failed, ...later], { currentTask: 't' })).toEqual(['failed']);
  });

  it('stay when pinned or named by what is in use', () => {
    expect(
      ids([
        { ...old, pinned: true },
        { ...again, pinned: true },
      ]),
    ).toEqual([]);
    expect(ids([old, { ...again, pinned: true, references: ['old'] }])).toEqual([]);
  });
});

describe('the score', () => {
  it('grows with age up to a day and no further', () => {
    expect(scoreOf({ hours: 0 })).toBeCloseTo(0.53, 5);
    expect(scoreOf({ hours: 12 })).toBeCloseTo(0.73, 5);
    expect(scoreOf({ hours: 24 })).toBeCloseTo(0.93, 5);
    expect(scoreOf({ hours: 24 * 365 })).toBeCloseTo(0.93, 5);
  });

  it('orders the types', () => {
    const types = ['log', 'note', 'code', 'message', 'summary', 'decision'] as const;
    const scores = types.map((type) => scoreOf({ type }));
    expect([...scores].sort((a, b) => b - a)).toEqual(scores);
    expect(new Set(scores).size).toBe(types.length);
  });

  it('counts age from the last touch, and the generation', () => {
    expect(scoreOf({ hours: 24, touchedAt: NOW })).toBeCloseTo(0.53, 5);
    expect(scoreOf({ hours: 0, survivals: 1 })).toBeCloseTo(0.53, 5);
    expect(scoreOf({ hours: 0, survivals: 2 })).toBeCloseTo(0.6, 5);
  });

  it('never leaves 0..1, whatever comes together', () => {
    const worst = item('x', { hours: 10_000, survivals: 99, textHash: 'h' });
    const candidates = findCandidates(windowWith([worst, item('y', { textHash: 'h', hours: 0 })])).best;
    expect(candidates.map(({ id }) => id)).toEqual(['x', 'y']);
    for (const { score } of candidates) expect(score).toBeGreaterThan(0);
    for (const { score } of candidates) expect(score).toBeLessThanOrEqual(1);
  });

  it('takes the larger of equals first', () => {
    expect(ids([item('small', { tokens: 1 }), item('large', { tokens: 1000 })])).toEqual(['large', 'small']);
  });
});

describe('many candidates', () => {
  const many = Array.from({ length: 3000 }, (_, at) => item(`n${at}`, { tokens: at % 7, hours: (at * 37) % 30 }));

  it('are counted, and the readiest named as if all had been sorted', () => {
    const { count, tokens, best } = findCandidates(windowWith(many));
    expect({ count, tokens }).toEqual({ count: 3000, tokens: many.reduce((sum, one) => sum + one.tokens, 0) });
    expect(best).toHaveLength(200);
    const expected = [...many]
      .sort((a, b) => a.enteredAt - b.enteredAt)
      .map((one, at) => ({ at, tokens: one.tokens, score: Math.min(24, (NOW - one.createdAt) / 3_600_000) }))
      .sort((a, b) => b.score - a.score || b.tokens - a.tokens || a.at - b.at);
    expect(best.map(({ at }) => at)).toEqual(expected.slice(0, 200).map(({ at }) => at));
  });
});
