import { describe, expect, it } from 'vitest';
import { createEmbeddedBackend, estimateTokens, type PruneRequest, type PruneResult, prune } from '../src/index.ts';
import { createMemoryStore } from './memory-store.ts';

const dependencies = {
  backend: createEmbeddedBackend(),
  store: createMemoryStore(),
  newId: () => 'prn_prune',
  now: () => 0,
  countTokens: (text: string) => ({ tokens: estimateTokens(text), method: 'estimate' as const }),
};
const ask = (request: Omit<PruneRequest, 'goal'> & { goal?: string }): Promise<PruneResult> =>
  prune({ goal: 'where is the retry delay set?', ...request }, dependencies);

const paragraph = (topic: string) =>
  `The ${topic} is described here in a sentence of some length.\nIt goes on for another line about the ${topic}.\nAnd it ends.\n\n`;
const DOC = `${Array.from({ length: 40 }, (_, at) => paragraph(`subject number ${at}`)).join('')}The retry delay is set to five seconds.\n`;

describe('a budget', () => {
  it.each([60, 150, 300, 600])('of %i tokens is met, and the answer is in it', async (maxTokens) => {
    const { text, stats, warnings } = await ask({ text: DOC, source: 'docs', limits: { maxTokens } });
    expect(stats.tokensAfter).toBeLessThanOrEqual(maxTokens);
    expect(text).toContain('The retry delay is set to five seconds.');
    expect(warnings).toEqual([]);
  });

  it('counts what the caller puts around the result', async () => {
    const { stats } = await ask({ text: DOC, source: 'docs', limits: { maxTokens: 300 }, aroundTokens: 200 });
    expect(stats.tokensAfter).toBeLessThanOrEqual(100);
  });

  it('that the limits forbid says so, and the limits hold', async () => {
    const { stats, warnings } = await ask({ text: DOC, source: 'docs', limits: { minKeepLines: 100, maxTokens: 50 } });
    expect(stats.keptLines).toBeGreaterThanOrEqual(100);
    expect(warnings).toEqual(['budget_unmet']);
  });

  it('is counted exactly where the estimate is off', async () => {
    const request = { text: DOC, goal: 'where is the retry delay set?', limits: { maxTokens: 400 } };
    const { text } = await prune(request, { ...dependencies, exactTokens: twiceTheEstimate });
    expect(2 * estimateTokens(text)).toBeLessThanOrEqual(400);
  });

  it('that nobody named is 3,000 tokens for a log, however long it is', async () => {
    const text = Array.from({ length: 40_000 }, (_, at) => `ERROR step ${at}: cannot open file-${at}.c:${at}\n`).join(
      '',
    );
    const { stats } = await ask({ text, source: 'logs', goal: 'why does it fail?' });
    expect(stats.tokensAfter).toBeLessThanOrEqual(3000);
  });
});

describe('what comes along with a chosen line', () => {
  const CODE = `import a from 'a';\n\nconst RETRY_DELAY = 5000;\nconst OTHER = 7;\n\nfunction first() {\n${filler('walk')}}\n\n// Waits before the next attempt.\nfunction second(left) {\n${filler('run')}  if (left > 0) {\n    retry(RETRY_DELAY);\n    return left;\n  }\n${filler('jump')}}\n`;

  it('is the value it uses, the definition it is in, and the body it opens', async () => {
    const { text } = await ask({ text: CODE, source: 'code', limits: { maxTokens: 200 } });
    const lines = text.split('\n');
    for (const line of [
      'const RETRY_DELAY = 5000;',
      'function second(left) {',
      '  if (left > 0) {',
      '    return left;',
    ]) {
      expect(lines).toContain(line);
    }
    expect(text).not.toContain('walk15(');
  });

  it('is what a condition of Python returns', async () => {
    const text = `${pythonBody('walk')}def retry(order):\n    total = order.total\n    if order.attempts > 5:\n        return GIVEN_UP\n    return total\n\n${pythonBody('jump')}`;
    const { text: shown } = await ask({
      text,
      source: 'code',
      goal: 'when are attempts of an order more than allowed?',
    });
    expect(shown).toContain('    if order.attempts > 5:\n        return GIVEN_UP\n');
  });
});

describe('a goal that nothing in the text is about', () => {
  it('is said, with an outline in place of noise', async () => {
    const text = `${Array.from({ length: 300 }, (_, at) => `def step_${at}(value):\n    return value + ${at}\n`).join('\n')}\n`;
    const { warnings, note, stats } = await ask({ text, goal: 'how is sourdough bread baked in a wood-fired oven?' });
    expect(warnings).toEqual(['no_match']);
    expect(note).toMatch(/^⟦no match: 900 lines of code \(300 definitions, .*\)⟧$/);
    expect(stats.tokensAfter).toBeLessThan(stats.tokensBefore * 0.02);
    expect(stats.keptLines).toBeGreaterThan(0);
  });

  it('gets the best guess where a budget is there to be spent', async () => {
    const { warnings, stats } = await ask({ text: DOC, goal: 'sourdough bread', limits: { maxTokens: 500 } });
    expect(warnings).toEqual(['no_match']);
    expect(stats.tokensAfter).toBeGreaterThan(200);
  });
});

describe('a line that is longer than the budget', () => {
  it('is shown in part, around the words of the goal, and marked', async () => {
    const text = `{"items":[${'{"name":"bolt","price":3},'.repeat(4000)}{"name":"retry delay","price":77}]}\n`;
    const { note, gaps, stats } = await ask({ text, limits: { maxTokens: 400 } });
    expect(note).toMatch(/^⟦line 1 in part: characters \d+-\d+ of \d+⟧\n/);
    expect(note).toContain('"retry delay","price":77');
    expect(gaps).toMatchObject([{ startLine: 1, endLine: 1 }]);
    expect(stats.tokensAfter + estimateTokens(note ?? '')).toBeLessThanOrEqual(400);
  });
});

describe('a counter that throws', () => {
  it('costs the exact count, not the result', async () => {
    const broken = {
      ...dependencies,
      countTokens: () => {
        throw new Error('no vocabulary');
      },
    };
    const { stats, gaps } = await prune({ text: DOC, goal: 'where is the retry delay set?', source: 'docs' }, broken);
    expect(stats.tokensMethod).toBe('estimate');
    expect(gaps.length).toBeGreaterThan(0);
  });
});

describe('a text of too many lines', () => {
  it('comes back whole and says why', async () => {
    const text = '\n'.repeat(1_000_001);
    const { warnings, gaps } = await ask({ text });
    expect(gaps).toEqual([]);
    expect(warnings).toContain('input_too_large');
  });
});

function filler(name: string): string {
  return Array.from({ length: 60 }, (_, at) => `  ${name}${at}(alpha, beta, gamma);\n`).join('');
}

async function twiceTheEstimate() {
  return (text: string) => ({ tokens: 2 * estimateTokens(text), method: 'o200k' as const });
}

function pythonBody(name: string): string {
  return `def ${name}(order):\n${filler(name).replaceAll(';', '')}\n`;
}
