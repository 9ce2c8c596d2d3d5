import { createEmbeddedBackend, estimateTokens, newPruneId, type PruneRequest, prune, recover } from '@jeeves/engine';
import { createMemoryStore } from '@jeeves/store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../packages/cli/src/verify/check.ts';

/** In all 10,000 texts per run of the suite; a failure prints the seed and the smallest text. */
const RUNS = { all: 8_000, determinism: 1_000, nesting: 1_000 } as const;

const word = fc.constantFrom(
  'retry',
  'timeout',
  'userName',
  'parse',
  'if',
  'return',
  '{',
  '}',
  'ERROR',
  'value',
  '42',
  'é',
  '日本',
);
const line = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom('', '  ', '    ', '\t'), fc.array(word, { maxLength: 8 }))
      .map(([indent, words]) => indent + words.join(' ')),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "import { a } from 'a';",
      'def run(self):',
      'export function save(order) {',
      '# Title',
      '```',
      'Traceback (most recent call last):',
      '    at run (a.js:1:2)',
      '⟦NO_PRUNE_BEGIN⟧',
      '⟦NO_PRUNE_END⟧',
      '⟦pruned 1-2 (2 lines)⟧',
      '⟦PRUNÉ: prune_id=prn_0 lignes 1-9 (9) raison=x⟧',
      '\uFEFFbom',
      'a\fb',
      'c\u2028d',
      'lone\rcr',
      '\ud800',
    ),
  },
);
const text = fc
  .tuple(
    fc.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\n', '\r\n')), { maxLength: 60 }),
    fc.option(line, { nil: '' }),
  )
  .map(([lines, last]) => lines.map(([content, ending]) => content + ending).join('') + last);
const ratio = fc.oneof(
  fc.constantFrom(0, 0.1, 0.5, 0.55, 2 / 3, 0.7, 0.9, 1),
  fc.double({ min: 0, max: 1, noNaN: true }),
);

const request = fc.record({
  text,
  goal: fc.oneof(
    fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
    fc.string(),
  ),
  source: fc.constantFrom('auto', 'code', 'logs', 'docs'),
  limits: fc.record(
    { maxPruneRatio: ratio, minKeepLines: fc.nat({ max: 20 }), maxTokens: fc.nat({ max: 200 }) },
    { requiredKeys: ['maxPruneRatio', 'minKeepLines'] },
  ),
  threshold: fc.double({ min: 0, max: 1, noNaN: true }),
  markers: fc.constantFrom('compact', 'canonical'),
  includeMarkers: fc.boolean(),
  annotateLines: fc.boolean(),
  protectStructure: fc.boolean(),
  firstLine: fc.constantFrom(1, 1, 500),
}) satisfies fc.Arbitrary<PruneRequest>;

function dependencies() {
  let count = 0;
  return {
    backend: createEmbeddedBackend(),
    store: createMemoryStore(),
    newId: () => newPruneId((bytes) => new Uint8Array(bytes).fill(count++ % 256)),
    now: () => 1_700_000_000_000,
    countTokens: (counted: string) => ({ tokens: estimateTokens(counted), method: 'estimate' as const }),
  };
}

describe('whatever the text, the goal and the options', () => {
  it('pruning keeps every promise and recovery rebuilds the text byte for byte', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const run = dependencies();
        const answer = await prune(asked, run);
        const { text: recovered } = await recover({ pruneId: answer.pruneId, ranges: answer.gaps }, run);
        const { violations } = check({ raw: asked.text, asked: { ...asked.limits, ...asked }, answer, recovered });
        expect(violations).toEqual([]);
        expect(answer.stats.tokensAfter).toBeLessThanOrEqual(answer.stats.tokensBefore);
        const unmet = answer.warnings.includes('budget_unmet') || answer.warnings.includes('constraints_unmet');
        if (!unmet) expect(answer.stats.tokensAfter).toBeLessThanOrEqual(asked.limits.maxTokens ?? Infinity);
      }),
      { numRuns: RUNS.all },
    );
  });

  it('the same input gives the same bytes', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const [first, second] = [
          await prune(asked, dependencies()),
          await prune(structuredClone(asked), dependencies()),
        ];
        expect(second).toEqual(first);
      }),
      { numRuns: RUNS.determinism },
    );
  });

  it('a higher threshold never keeps a line that a lower one cuts', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(request, fc.double({ min: 0, max: 1, noNaN: true }), async (asked, other) => {
        const [low, high] = [asked.threshold, other].toSorted((a, b) => a - b);
        const cutLow = cutLines(await prune({ ...asked, threshold: low ?? 0 }, dependencies()));
        const cutHigh = cutLines(await prune({ ...asked, threshold: high ?? 1 }, dependencies()));
        expect([...cutLow].filter((number) => !cutHigh.has(number))).toEqual([]);
      }),
      { numRuns: RUNS.nesting },
    );
  });
});

function cutLines({ gaps }: { gaps: readonly { startLine: number; endLine: number }[] }): Set<number> {
  const cut = new Set<number>();
  for (const { startLine, endLine } of gaps)
    for (let number = startLine; number <= endLine; number += 1) cut.add(number);
  return cut;
}
