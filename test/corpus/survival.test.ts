import { createEmbeddedBackend, estimateTokens, type PruneResult, prune } from '@jeeves/engine';
import { createMemoryStore } from '@jeeves/store';
import { describe, expect, it } from 'vitest';
import { type CorpusCase, loadCorpus, loadStretch } from './corpus.ts';

/** What the default backend loses of the stretch cases today. It may only go down. */
const STRETCH_LINES_LOST = 91;

const dependencies = {
  backend: createEmbeddedBackend(),
  store: createMemoryStore(),
  newId: () => 'prn_corpus',
  now: () => 0,
  countTokens: (text: string) => ({ tokens: estimateTokens(text), method: 'estimate' as const }),
};
const corpus = loadCorpus();
const answer = ({ text, goal, source }: CorpusCase) => prune({ text, goal, source }, dependencies);

describe('at the default operating point', () => {
  it.each(corpus.map((entry) => [entry.id, entry] as const))('%s keeps its lines', async (_id, entry) => {
    expect(lostLines(entry, await answer(entry))).toEqual([]);
  });

  it('at most 42 % of the tokens are kept on average, markers included', async () => {
    const shares: number[] = [];
    for (const entry of corpus) {
      const { stats } = await answer(entry);
      shares.push(stats.tokensAfter / stats.tokensBefore);
    }
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeLessThanOrEqual(0.42);
  });

  it('a goal from another topic keeps little', async () => {
    const negatives = corpus.filter((entry) => entry.negative && entry.source !== 'logs');
    expect(negatives.length).toBeGreaterThan(3);
    const shares = await Promise.all(negatives.map(async (entry) => (await answer(entry)).stats));
    const mean = shares.reduce((sum, { tokensAfter, tokensBefore }) => sum + tokensAfter / tokensBefore, 0) / shares.length;
    expect(mean).toBeLessThanOrEqual(0.02);
  });

  it('the stretch cases lose no more lines than before', async () => {
    let lost = 0;
    for (const entry of loadStretch()) lost += lostLines(entry, await answer(entry)).length;
    expect(lost).toBeLessThanOrEqual(STRETCH_LINES_LOST);
  });
});

function lostLines({ mustSurvive }: CorpusCase, { gaps }: PruneResult): number[] {
  const lines = mustSurvive.flatMap(([start, end]) => Array.from({ length: end - start + 1 }, (_, at) => start + at));
  return lines.filter((line) => gaps.some(({ startLine, endLine }) => startLine <= line && line <= endLine));
}
