import { describe, expect, it } from 'vitest';
import type { Backend, Judgement } from '../../src/backends/backend.ts';
import { withFallback } from '../../src/backends/with-fallback.ts';
import { EngineError } from '../../src/errors.ts';
import { split } from '../../src/split.ts';

const REQUEST = { goal: 'g', texts: split('a\nb\n'), source: 'code' } as const;

function answering(name: string, judgement: Judgement): Backend {
  return { name, judge: async () => judgement };
}

function failing(name: string, error: unknown): Backend {
  return { name, judge: () => Promise.reject(error) };
}

describe('withFallback', () => {
  const substitute = answering('lexical', {
    scores: Float64Array.of(1, 0),
    warnings: ['own'],
    facts: { lexical: 1, deepinfraHttpStatus: 0 },
  });

  it('hands over what the backend judged, and its name', async () => {
    const judgement = { scores: Float64Array.of(0.5, 0.5) };
    const backend = withFallback(answering('deepinfra', judgement), failing('lexical', new Error('unused')));
    expect(backend.name).toBe('deepinfra');
    expect(await backend.judge(REQUEST)).toBe(judgement);
  });

  it.each([
    [
      'warnings and facts of the failure',
      new EngineError('http_error', 'x', {
        data: { warnings: ['deepinfra_error', 'deepinfra_http_error'], facts: { deepinfraHttpStatus: 429 } },
      }),
      {
        warnings: ['deepinfra_error', 'deepinfra_http_error', 'own'],
        facts: { lexical: 1, deepinfraHttpStatus: 429 },
      },
    ],
    ['its code', new EngineError('timeout', 'x'), { warnings: ['timeout', 'own'] }],
    ['a general code for any other error', new TypeError('x'), { warnings: ['backend_error', 'own'] }],
    ['a general code for what is no error', 'x', { warnings: ['backend_error', 'own'] }],
  ])("marks the substitute's judgement with %s", async (_, error, expected) => {
    const judged = await withFallback(failing('deepinfra', error), substitute).judge(REQUEST);
    expect(judged).toMatchObject({ scores: Float64Array.of(1, 0), usedFallback: true, ...expected });
  });

  it('catches a backend that throws before it returns a promise', async () => {
    const throwing: Backend = {
      name: 'x',
      judge() {
        throw new EngineError('config_error', 'x');
      },
    };
    expect(await withFallback(throwing, substitute).judge(REQUEST)).toMatchObject({
      warnings: ['config_error', 'own'],
    });
  });

  it("throws the substitute's error when both fail", async () => {
    const last = new EngineError('timeout', 'second');
    const backend = withFallback(failing('a', new EngineError('http_error', 'first')), failing('b', last));
    await expect(backend.judge(REQUEST)).rejects.toBe(last);
  });
});
