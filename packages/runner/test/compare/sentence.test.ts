import { describe, expect } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import type { Comparison, Trial } from '../../src/compare/compare.ts';
import { compareSentence } from '../../src/compare/sentence.ts';
import { estimate } from '../../src/compare/statistics.ts';

const TRIAL = { success: true } as Trial;

type Sides = readonly [pruned: number, whole: number];

/** Pairs of equal runs, but for the noise that is asked for. */
function compared(
  tokens: Sides,
  turns: Sides,
  success: Sides,
  more: { noise?: number; simulated?: true } = {},
): string {
  const of = 12;
  const { noise = 0, simulated } = more;
  const metric = ([pruned, whole]: Sides) => {
    const saved = Array.from({ length: of }, (_, at) => whole - pruned + (at % 2 === 0 ? noise : -noise));
    return { with: pruned, without: whole, saved: estimate(saved), pairs: of };
  };
  const pairs = Array.from({ length: of }, (_, at) => ({
    with: { ...TRIAL, success: at < success[0] },
    without: { ...TRIAL, success: at < success[1] },
  }));
  const summary = { tokens: metric(tokens), turns: metric(turns) } as unknown as Comparison['summary'];
  return compareSentence({ pairs, summary, simulated });
}

describe('the sentence that opens a comparison', () => {
  const SENTENCES: readonly (readonly [string, string])[] = [
    [compared([65, 100], [6, 5], [12, 12]), '35 % fewer tokens, one more turn, success unchanged (12 of 12)'],
    [compared([120, 100], [3, 5], [11, 12]), '20 % more tokens, two fewer turns, success down from 12 to 11 of 12'],
    [compared([100, 100], [5, 5], [12, 10]), 'As many tokens, as many turns, success up from 10 to 12 of 12'],
    [compared([100.2, 100], [5.5, 5], [0, 0]), 'As many tokens, 0.5 more turns, success unchanged (0 of 12)'],
    [
      compared([90, 100], [5, 5], [12, 12], { noise: 500 }),
      '10 % fewer tokens (could be chance), as many turns, success unchanged (12 of 12)',
    ],
    [
      compared([65, 100], [6, 5], [12, 12], { simulated: true }),
      'Simulated: 35 % fewer tokens, one more turn, success unchanged (12 of 12)',
    ],
  ];
  for (const [said, expected] of SENTENCES) {
    verifies('runner.compare.sentence', `says: ${expected}`, () => expect(said).toBe(expected));
  }
});
