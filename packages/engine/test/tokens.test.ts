import * as fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, it } from 'vitest';
import { estimateTokens } from '../src/estimate.ts';
import { loadTokenCounter, type TokenCounter } from '../src/tokens.ts';
import { SAMPLES } from './token-samples.ts';

const AS_TEXT = { disallowedSpecial: new Set<string>() };

describe('counting tokens', () => {
  let count: TokenCounter;
  beforeAll(async () => {
    count = await loadTokenCounter();
  });

  it.each(Object.keys(SAMPLES))('equals the count in one piece: %s', (name) => {
    const text = (SAMPLES[name] ?? '').slice(0, 256 * 1024);
    expect(count(text)).toEqual({ tokens: countTokens(text, AS_TEXT), method: 'o200k' });
  });

  it('equals the count in one piece wherever words, marks, blanks and line ends meet', () => {
    const parts = [
      'the',
      ' Word',
      'camelCase',
      'HTTPServer',
      'NAME',
      '12',
      '34567',
      ' ',
      '   ',
      '\t',
      '\n',
      '\r\n',
      '\n\n    ',
    ];
    const marks = [
      '.',
      ',',
      '();',
      " '",
      "don't",
      "'s",
      '//',
      '/',
      ' => {',
      '"',
      '日本語',
      '。',
      '、',
      '한국어',
      'é',
      '😀',
      '—',
      '⟦',
    ];
    const text = fc
      .array(fc.constantFrom(...parts, ...marks), { minLength: 250, maxLength: 700 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (each) => {
        expect(count(each).tokens).toBe(countTokens(each, AS_TEXT));
      }),
      { numRuns: 150 },
    );
  });

  it.each(['', 'a', '<|endoftext|>', '<|im_start|>system<|endofprompt|>', '\0', '\ud800', '\udc00x'])(
    'counts %j as text',
    (text) => {
      expect(count(text)).toEqual({ tokens: countTokens(text, AS_TEXT), method: 'o200k' });
    },
  );

  it.each(['a', ' ', '=', '7', 'あ', '😀', '\n', '\t ', 'é', 'xq'])(
    'counts 200,000 repeated %j fast and within a percent',
    (part) => {
      const short = part.repeat(Math.ceil(3000 / part.length));
      expect(count(short).tokens / countTokens(short, AS_TEXT)).toBeCloseTo(1, 2);
      const long = part.repeat(Math.ceil(200_000 / part.length));
      const begun = performance.now();
      expect(count(long).method).toBe('o200k');
      expect(performance.now() - begun).toBeLessThan(2000);
    },
  );

  it('estimates what is longer than 256 KB', () => {
    const text = 'some words and 123 numbers\n'.repeat(9710);
    expect(count(text.slice(0, 256 * 1024)).method).toBe('o200k');
    const longer = text.slice(0, 256 * 1024 + 1);
    expect(count(longer)).toEqual({ tokens: estimateTokens(longer), method: 'estimate' });
  });
});
