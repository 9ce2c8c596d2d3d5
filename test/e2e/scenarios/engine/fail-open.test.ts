import { type Backend, EngineError, type PruneDependencies, type RecoveryStore } from '@jeeves/engine';
import { PRUNE_WARNINGS } from '@jeeves/protocol';
import { createMemoryStore } from '@jeeves/store';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { CANONICAL, numberedLines, scoring, world } from './world.ts';

const TEXT = numberedLines(200, (line) => `row ${line} of the ledger`);
const REQUEST = { ...CANONICAL, text: TEXT, goal: 'ledger', source: 'docs' } as const;

function backend(judge: Backend['judge']): Backend {
  return { name: 'broken', judge };
}

function failingStore(error: unknown): RecoveryStore {
  return {
    ...createMemoryStore(),
    url: 'memory:',
    put: () => Promise.reject(error),
    get: async () => undefined,
    close: async () => {},
  };
}

const UNPRUNABLE: Readonly<Record<string, { parts?: Partial<PruneDependencies>; request?: object; warning: string }>> =
  {
    'a text that is too large': { request: { maxInputChars: TEXT.length - 1 }, warning: 'input_too_large' },
    'a timeout': {
      parts: { backend: backend(() => new Promise(() => {})) },
      request: { timeoutMs: 30 },
      warning: 'timeout',
    },
    'limits nobody can meet': { request: { limits: { minKeepLines: 201 } }, warning: 'constraints_unmet' },
    'a backend that rejects': {
      parts: { backend: backend(() => Promise.reject(new Error('x'))) },
      warning: 'internal_error',
    },
  };

describe('a no-op', () => {
  for (const [name, { parts = {}, request = {}, warning }] of Object.entries(UNPRUNABLE)) {
    verifies(
      ['text.noop.contract', 'text.noop.recoverable'],
      `${name} gives the raw text, flagged, with an id that recovers it`,
      async () => {
        const { prune, recover } = world(parts);
        const result = await prune({ ...REQUEST, ...request });
        expect(result).toMatchObject({
          text: TEXT,
          gaps: [],
          warnings: [warning],
          stats: { usedFallback: true, prunedLines: 0, prunedRatio: 0 },
        });
        expect(result.pruneId).toMatch(/^prn_\w+$/);
        const all = await recover({ pruneId: result.pruneId, ranges: [{ startLine: 1, endLine: 200 }] });
        expect(all.text).toBe(TEXT);
      },
    );
  }

  verifies('text.noop.input-too-large', 'one character too many is too large, the limit itself is not', async () => {
    const { prune } = world();
    expect((await prune({ ...REQUEST, maxInputChars: TEXT.length })).warnings).toEqual([]);
    expect((await prune({ ...REQUEST, maxInputChars: TEXT.length - 1 })).warnings).toEqual(['input_too_large']);
  });

  verifies('text.noop.timeout', 'a backend that never answers costs about the timeout', async () => {
    const aborted: boolean[] = [];
    const silent = backend(({ signal }) => {
      signal?.addEventListener('abort', () => aborted.push(true));
      return new Promise(() => {});
    });
    const started = performance.now();
    const { warnings, text } = await world({ backend: silent }).prune({ ...REQUEST, timeoutMs: 50 });
    expect({ warnings, text }).toEqual({ warnings: ['timeout'], text: TEXT });
    expect(performance.now() - started).toBeLessThan(1500);
    expect(aborted).toEqual([true]);
  });

  verifies('text.noop.timeout-computing', 'the embedded backend ends amid a long text', async () => {
    const text = numberedLines(150_000, (line) => `row ${line} of the ledger and ${line * 7} more words`);
    const started = performance.now();
    const result = await world().prune({ ...REQUEST, text, timeoutMs: 1 });
    expect(result.warnings).toEqual(['timeout']);
    expect(result.text === text).toBe(true);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('failing parts', () => {
  const BACKENDS: Readonly<Record<string, Backend['judge']>> = {
    'throws at once': () => {
      throw new TypeError('broken');
    },
    'rejects with an error': () => Promise.reject(new Error('broken')),
    'rejects with a known code': () => Promise.reject(new EngineError('http_error', 'broken')),
    'rejects with nothing': () => Promise.reject(undefined),
    'answers nothing': async () => undefined as never,
    'answers without scores': async () => ({}) as never,
  };
  for (const [name, judge] of Object.entries(BACKENDS)) {
    verifies(
      ['text.fail-open.backend', 'text.noop.internal-error'],
      `a backend that ${name} costs the pruning only`,
      async () => {
        const result = await world({ backend: backend(judge) }).prune(REQUEST);
        expect(result).toMatchObject({ text: TEXT, gaps: [], stats: { usedFallback: true } });
        expect(result.warnings).toHaveLength(1);
        if (name !== 'rejects with a known code') expect(result.warnings).toEqual(['internal_error']);
      },
    );
  }

  for (const count of [0, 1, 199, 201, 400]) {
    verifies('text.fail-open.scores', `${count} scores for 200 lines cost the pruning only`, async () => {
      const few = backend(async () => ({ scores: new Float64Array(count) }));
      const result = await world({ backend: few }).prune(REQUEST);
      expect(result).toMatchObject({ text: TEXT, gaps: [], stats: { usedFallback: true } });
      expect(result.warnings).toHaveLength(1);
    });
  }

  verifies('text.fail-open.scores', 'scores that are no numbers still leave the limits in force', async () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -5, 5]) {
      const judge = async () => ({ scores: new Float64Array(200).fill(value) });
      const { stats } = await world({ backend: backend(judge) }).prune({
        ...REQUEST,
        limits: { maxPruneRatio: 0.5, minKeepLines: 120 },
      });
      expect(stats.keptLines).toBeGreaterThanOrEqual(120);
    }
  });

  for (const error of [new EngineError('store_failed', 'disk full'), new Error('disk full'), 'disk full']) {
    verifies('text.fail-open.store', `a store that fails with ${String(error)} costs the pruning only`, async () => {
      const result = await world({ backend: scoring(), store: failingStore(error) }).prune(REQUEST);
      expect(result).toMatchObject({ text: TEXT, gaps: [], stats: { usedFallback: true, keptLines: 200 } });
      expect(result.warnings.length).toBeGreaterThan(0);
    });
  }

  verifies('text.warnings.known', 'whatever fails, the warnings are documented ones', async () => {
    const failures: Partial<PruneDependencies>[] = [
      ...Object.values(BACKENDS).map((judge) => ({ backend: backend(judge) })),
      ...(['timeout', 'http_error', 'invalid_response', 'config_error'] as const).map((code) => ({
        backend: backend(() => Promise.reject(new EngineError(code, 'broken'))),
      })),
      { backend: backend(async () => ({ scores: new Float64Array(1) })) },
      { store: failingStore(new EngineError('store_failed', 'disk full')) },
      { store: failingStore(new Error('disk full')) },
    ];
    const results = await Promise.all(failures.map((parts) => world(parts).prune(REQUEST)));
    const unknown = results.flatMap(({ warnings }) => warnings).filter((code) => !Object.hasOwn(PRUNE_WARNINGS, code));
    expect([...new Set(unknown)]).toEqual([]);
  });
});
