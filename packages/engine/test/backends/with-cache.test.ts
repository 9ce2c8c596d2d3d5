import { describe, expect, it, vi } from 'vitest';
import type { Backend, Judgement, JudgeRequest } from '../../src/backends/backend.ts';
import { type CacheOptions, withCache } from '../../src/backends/with-cache.ts';
import { EngineError } from '../../src/errors.ts';
import { split } from '../../src/split.ts';

const REQUEST: JudgeRequest = { goal: 'g', texts: split('a\nb\n'), source: 'code' };

/** Counts its calls and answers with them. */
function counting(extra: Partial<Judgement> = {}): Backend & { calls: number } {
  return {
    name: 'counting',
    calls: 0,
    async judge({ texts }) {
      this.calls += 1;
      return { scores: new Float64Array(texts.length).fill(this.calls / 100), ...extra };
    },
  };
}

function cached(backend: Backend, options: Partial<CacheOptions> = {}) {
  const clock = { now: 1000 };
  const cache = withCache(backend, { ttlMs: 30, maxItems: 3, now: () => clock.now, ...options });
  return { cache, clock };
}

interface Call {
  readonly request: JudgeRequest;
  readonly resolve: (judgement: Judgement) => void;
  readonly reject: (error: Error) => void;
}

/** Answers each call when told to. */
function waiting(): { backend: Backend; calls: Call[] } {
  const calls: Call[] = [];
  const judge = (request: JudgeRequest): Promise<Judgement> =>
    new Promise((resolve, reject) => {
      calls.push({ request, resolve, reject });
    });
  return { backend: { name: 'waiting', judge }, calls };
}

async function until(condition: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(condition()).toBe(true), { timeout: 10_000, interval: 2 });
}

function items(...list: string[]): JudgeRequest {
  return { goal: 'g', source: 'items', texts: { length: list.length, at: (index) => list[index] ?? '' } };
}

describe('withCache', () => {
  it('gives the same judgement again, marked as a hit', async () => {
    const inner = counting({ warnings: ['w'], facts: { f: 1 } });
    const { cache } = cached(inner);
    const first = await cache.judge(REQUEST);
    expect(first.warnings).toEqual(['w']);
    const again = await cache.judge({ ...REQUEST, texts: split('a\nb\n') });
    expect(again).toEqual({ scores: first.scores, warnings: ['w', 'cache_hit'], facts: { f: 1 } });
    expect(inner.calls).toBe(1);
    expect(cache.name).toBe('counting');
  });

  it('says in the facts that no call was made', async () => {
    const { cache } = cached(
      counting({ facts: { deepinfraCached: false, deepinfraLatencyMs: 80, deepinfraDocsTotal: 2 } }),
    );
    await cache.judge(REQUEST);
    const { facts } = await cache.judge(REQUEST);
    expect(facts).toEqual({ deepinfraCached: true, deepinfraLatencyMs: 0, deepinfraDocsTotal: 2 });
  });

  it.each<[string, JudgeRequest, JudgeRequest]>([
    ['another goal', REQUEST, { ...REQUEST, goal: 'h' }],
    ['another source', REQUEST, { ...REQUEST, source: 'logs' }],
    ['another text', REQUEST, { ...REQUEST, texts: split('a\nc\n') }],
    ['goal and text cut elsewhere', { ...REQUEST, goal: 'g1:a' }, { ...REQUEST, goal: 'g' }],
    ['items cut elsewhere', items('a\nb'), items('a', 'b')],
    ['items with lengths inside', items('a', '1:b'), items('a1:', 'b')],
    ['another unpaired surrogate', items('\ud800'), items('\ud801')],
  ])('judges anew for %s', async (_, one, other) => {
    const inner = counting();
    const { cache } = cached(inner);
    await cache.judge(one);
    await cache.judge(other);
    expect(inner.calls).toBe(2);
  });

  it('judges anew after the time to live', async () => {
    const inner = counting();
    const { cache, clock } = cached(inner);
    await cache.judge(REQUEST);
    clock.now += 29;
    expect((await cache.judge(REQUEST)).warnings).toEqual(['cache_hit']);
    clock.now += 1;
    expect((await cache.judge(REQUEST)).warnings).toBeUndefined();
    expect(inner.calls).toBe(2);
  });

  it('keeps the newest of too many judgements', async () => {
    const inner = counting();
    const { cache } = cached(inner, { maxItems: 2 });
    for (const text of ['a', 'b', 'c']) await cache.judge(items(text));
    expect((await cache.judge(items('c'))).warnings).toEqual(['cache_hit']);
    expect((await cache.judge(items('b'))).warnings).toEqual(['cache_hit']);
    expect((await cache.judge(items('a'))).warnings).toBeUndefined();
  });

  it('stays within its bytes', async () => {
    const inner = counting();
    const { cache } = cached(inner, { maxBytes: 5000 });
    const large = { ...REQUEST, texts: split('x\n'.repeat(300)) };
    await cache.judge(large);
    await cache.judge(REQUEST);
    expect((await cache.judge(large)).warnings).toEqual(['cache_hit']);
    await cache.judge({ ...large, goal: 'h' });
    expect((await cache.judge({ ...large, goal: 'h' })).warnings).toEqual(['cache_hit']);
    expect((await cache.judge(large)).warnings).toBeUndefined();
    const tooLarge = { ...REQUEST, texts: split('x\n'.repeat(1000)) };
    await cache.judge(tooLarge);
    expect((await cache.judge(tooLarge)).warnings).toBeUndefined();
  });

  it('keeps no failure', async () => {
    let calls = 0;
    const failing: Backend = {
      name: 'failing',
      judge() {
        calls += 1;
        return Promise.reject(new Error('x'));
      },
    };
    const { cache } = cached(failing);
    await expect(cache.judge(REQUEST)).rejects.toThrow('x');
    await expect(cache.judge(REQUEST)).rejects.toThrow('x');
    expect(calls).toBe(2);
  });

  it('keeps no judgement of a substitute', async () => {
    const inner = counting({ usedFallback: true });
    const { cache } = cached(inner);
    await cache.judge(REQUEST);
    expect((await cache.judge(REQUEST)).warnings).toBeUndefined();
    expect(inner.calls).toBe(2);
  });

  it('gives one judgement to all who ask for it at the same time', async () => {
    const slow = waiting();
    const { cache } = cached(slow.backend, { hash: async (text) => text });
    const asked = [1, 2, 3, 4].map(() => cache.judge(REQUEST));
    await until(() => slow.calls.length > 0);
    slow.calls[0]?.resolve({
      scores: Float64Array.of(0.5, 1),
      facts: { deepinfraCached: false, deepinfraLatencyMs: 80 },
    });
    const [first, ...joined] = await Promise.all(asked);
    expect(first?.facts).toEqual({ deepinfraCached: false, deepinfraLatencyMs: 80 });
    first?.scores.fill(9);
    for (const judgement of joined) {
      expect(judgement).toEqual({
        scores: Float64Array.of(0.5, 1),
        warnings: ['cache_hit'],
        facts: { deepinfraCached: true, deepinfraLatencyMs: 0 },
      });
    }
    expect(slow.calls).toHaveLength(1);
  });

  it('shares a failure with those who wait, and asks again after it', async () => {
    const slow = waiting();
    const { cache } = cached(slow.backend, { hash: async (text) => text });
    const asked = [1, 2, 3].map(() => cache.judge(REQUEST));
    await until(() => slow.calls.length > 0);
    slow.calls[0]?.reject(new EngineError('timeout', 'the service is slow'));
    for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected');
    const again = cache.judge(REQUEST);
    await until(() => slow.calls.length === 2);
    slow.calls[1]?.resolve({ scores: new Float64Array(2) });
    expect((await again).warnings).toBeUndefined();
  });

  it('goes on for the others when who asked first leaves, and ends when all have left', async () => {
    const slow = waiting();
    const { cache } = cached(slow.backend, { hash: async (text) => text });
    const leavers = [new AbortController(), new AbortController()];
    const asked = leavers.map(({ signal }) => cache.judge({ ...REQUEST, signal }));
    const stayed = cache.judge(REQUEST);
    await until(() => slow.calls.length > 0);
    for (const [at, { signal }] of leavers.entries()) {
      leavers[at]?.abort();
      await expect(asked[at]).rejects.toMatchObject({ code: 'timeout' });
      expect([signal.aborted, slow.calls[0]?.request.signal?.aborted]).toEqual([true, false]);
    }
    slow.calls[0]?.resolve({ scores: Float64Array.of(1, 0) });
    expect(await stayed).toMatchObject({ scores: Float64Array.of(1, 0), warnings: ['cache_hit'] });

    const last = new AbortController();
    const left = cache.judge({ ...REQUEST, goal: 'h', signal: last.signal });
    await until(() => slow.calls.length === 2);
    last.abort();
    await expect(left).rejects.toMatchObject({ code: 'timeout' });
    expect(slow.calls[1]?.request.signal?.aborted).toBe(true);
    void cache.judge({ ...REQUEST, goal: 'h' }).catch(() => undefined);
    await until(() => slow.calls.length === 3);
  });

  it('asks again for who joined late, when time ran out for who asked first', async () => {
    const slow = waiting();
    const { cache } = cached(slow.backend, { hash: async (text) => text });
    let now = 0;
    const early = cache.judge({ ...REQUEST, timeLeft: () => 100 - now });
    const along = cache.judge({ ...REQUEST, timeLeft: () => 100 - now });
    const late = cache.judge({ ...REQUEST, timeLeft: () => 170 - now });
    await until(() => slow.calls.length > 0);
    expect(slow.calls[0]?.request.timeLeft?.()).toBe(170);
    now = 80;
    slow.calls[0]?.reject(new EngineError('timeout', 'too slow'));
    await expect(early).rejects.toThrow('too slow');
    await expect(along).rejects.toThrow('too slow');
    await until(() => slow.calls.length === 2);
    slow.calls[1]?.resolve({ scores: Float64Array.of(1, 0) });
    expect((await late).warnings).toBeUndefined();
  });

  it('cannot be changed through what it gave out', async () => {
    const { cache } = cached(counting());
    (await cache.judge(REQUEST)).scores.fill(9);
    (await cache.judge(REQUEST)).scores.fill(9);
    expect((await cache.judge(REQUEST)).scores).toEqual(Float64Array.of(0.01, 0.01));
  });

  it.each([{ ttlMs: 0 }, { maxItems: 0 }])('is off with %j', (off) => {
    const inner = counting();
    expect(cached(inner, off).cache).toBe(inner);
  });

  it('uses the hash it is given', async () => {
    const inner = counting();
    const { cache } = cached(inner, { hash: async () => 'same' });
    await cache.judge(items('a'));
    await cache.judge(items('b'));
    expect(inner.calls).toBe(1);
  });
});
