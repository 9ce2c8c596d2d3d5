import { describe, expect, test } from 'vitest';
import { makeCase } from '../../src/verify/cases.ts';
import { Random } from '../../src/verify/random.ts';
import { VARIANTS, vary } from '../../src/verify/variants.ts';

const TEXT = Array.from({ length: 30 }, (_, at) => `const value${at} = ${at};\n`).join('');
const FILES = [
  { path: 'a.ts', text: TEXT },
  { path: 'b.ts', text: 'one\n' },
] as const;

describe('cases', () => {
  test('are the same for the same seed and number', () => {
    expect(makeCase([...FILES], 'seed', 7)).toEqual(makeCase([...FILES], 'seed', 7));
    expect(makeCase([...FILES], 'seed', 7)).not.toEqual(makeCase([...FILES], 'other', 7));
  });

  test('take every file, every variant and both marker styles', () => {
    const all = Array.from({ length: 300 }, (_, number) => makeCase([...FILES], 's', number));
    expect(new Set(all.map(({ file }) => file))).toEqual(new Set(['a.ts', 'b.ts']));
    expect(new Set(all.map(({ variant }) => variant)).size).toBe(VARIANTS.length + 1);
    expect(new Set(all.map(({ asked }) => asked.markers))).toEqual(new Set(['compact', 'canonical']));
    expect(new Set(all.map(({ request }) => request.goal)).size).toBeGreaterThan(50);
  });

  test('ask of the engine what the checker will hold it to', () => {
    for (let number = 0; number < 100; number += 1) {
      const { request, asked } = makeCase([...FILES], 's', number);
      expect(request).toMatchObject({
        markers: asked.markers,
        includeMarkers: asked.includeMarkers,
        annotateLines: asked.annotateLines,
        firstLine: asked.firstLine,
        limits: { maxPruneRatio: asked.maxPruneRatio, minKeepLines: asked.minKeepLines },
      });
    }
  });
});

describe('variants', () => {
  const expectations: readonly [(typeof VARIANTS)[number], RegExp][] = [
    ['CRLF line endings', /^(?:[^\n]*\r\n)+$/],
    ['no final newline', /;$/],
    ['marker-like lines', /⟦/],
    ['a protected block', /⟦NO_PRUNE_BEGIN⟧[\s\S]*⟦NO_PRUNE_END⟧/],
    ['an unclosed protected block', /⟦NO_PRUNE_BEGIN⟧/],
  ];
  for (const [variant, pattern] of expectations) {
    test(`${variant}: the text has them`, () => {
      for (let seed = 0; seed < 20; seed += 1) {
        expect(vary(TEXT, variant, new Random(String(seed)))).toMatch(pattern);
      }
    });
  }

  test('an unclosed block has no end', () => {
    expect(vary(TEXT, 'an unclosed protected block', new Random('1'))).not.toContain('NO_PRUNE_END');
  });
});
