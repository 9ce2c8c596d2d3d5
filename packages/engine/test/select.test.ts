import { describe, expect, it } from 'vitest';
import { createLexicalBackend, type PruneRequest, prune } from '../src/index.ts';
import { createMemoryStore } from './memory-store.ts';

const dependencies = {
  backend: createLexicalBackend(),
  store: createMemoryStore(),
  newId: () => 'prn_select',
  now: () => 0,
  countTokens: (text: string) => ({ tokens: Math.ceil(text.length / 4), method: 'estimate' as const }),
};
const ask = (request: Omit<PruneRequest, 'goal'>) =>
  prune({ goal: 'where is the retry delay set?', ...request }, dependencies);

const paragraph = (topic: string) =>
  `The ${topic} is described here in a sentence of some length.\nIt goes on for another line about the ${topic}.\nAnd it ends.\n\n`;
const DOC = `${Array.from({ length: 40 }, (_, at) => paragraph(`subject number ${at}`)).join('')}The retry delay is set to five seconds.\n`;

describe('a wish for a size', () => {
  it.each([60, 150, 300, 600])('of %i tokens is met where limits and protection allow', async (maxTokens) => {
    const limits = { maxPruneRatio: 1, minKeepLines: 0, maxTokens };
    const { text, stats, warnings } = await ask({ text: DOC, source: 'docs', limits });
    expect(stats.tokensAfter).toBeLessThanOrEqual(maxTokens * 1.1);
    expect(text).toContain('The retry delay is set to five seconds.');
    expect(warnings).toEqual([]);
  });

  it('that the limits forbid says so, and the limits hold', async () => {
    const { stats, warnings } = await ask({ text: DOC, source: 'docs', limits: { minKeepLines: 100, maxTokens: 50 } });
    expect(stats.keptLines).toBeGreaterThanOrEqual(100);
    expect(warnings).toEqual(['budget_unmet']);
  });
});

describe('what comes along with a chosen line', () => {
  const CODE = `import a from 'a';\n\nconst RETRY_DELAY = 5000;\nconst OTHER = 7;\n\nfunction first() {\n${filler('walk')}}\n\n// Waits before the next attempt.\nfunction second(left) {\n${filler('run')}  if (left > 0) {\n    retry(RETRY_DELAY);\n    return left;\n  }\n${filler('jump')}}\n`;

  it('is the value it uses, the comment and the headers around it, and the body it opens', async () => {
    const { text } = await ask({ text: CODE, source: 'code', worthwhileGaps: false });
    for (const line of [
      'const RETRY_DELAY = 5000;',
      'function second(left) {',
      '  if (left > 0) {',
      '    return left;',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).not.toContain('walk15(');
  });
});

describe('nearly everything', () => {
  it('is given whole: a small hole costs a reader more than it saves', async () => {
    const text =
      'retry delay five\nretry delay six\nretry delay seven\nunrelated words about something else entirely here\n';
    const { gaps } = await ask({ text, source: 'docs', limits: { minKeepLines: 3 } });
    expect(gaps).toEqual([]);
  });
});

describe('a text of too many lines', () => {
  it('comes back whole instead of taking all memory', async () => {
    const { warnings, gaps } = await ask({ text: '\n'.repeat(1_000_001), source: 'logs' });
    expect(warnings).toEqual(['input_too_large']);
    expect(gaps).toEqual([]);
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

function filler(name: string): string {
  return Array.from({ length: 30 }, (_, at) => `  ${name}${at}(alpha, beta, gamma);\n`).join('');
}
