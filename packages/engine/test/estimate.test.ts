import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../src/estimate.ts';
import { split } from '../src/split.ts';
import { SAMPLES } from './token-samples.ts';

const AS_TEXT = { disallowedSpecial: new Set<string>() };

function deviation(text: string, tokens: number): number {
  const exact = countTokens(text, AS_TEXT);
  return Math.abs(tokens - exact) / exact;
}

describe('estimating tokens', () => {
  it.each(Object.keys(SAMPLES))('comes within twelve percent of o200k: %s', (name) => {
    const text = SAMPLES[name] ?? '';
    expect(deviation(text, estimateTokens(text))).toBeLessThan(0.12);
  });

  it.each(Object.keys(SAMPLES))('comes within fifteen when it is asked line by line: %s', (name) => {
    const text = SAMPLES[name] ?? '';
    const lines = split(text);
    let tokens = 0;
    for (let index = 0; index < lines.length; index += 1) {
      tokens += estimateTokens(text, lines.start(index), lines.start(index + 1));
    }
    expect(deviation(text, tokens)).toBeLessThan(0.15);
  });

  it.each([
    ['', 0],
    ['a', 1],
    ['hello world', 2],
    ['2026-03-01', 6],
    ['const x = 1;\n', 6],
    ['\n', 1],
    ['    return', 2],
    ['123456789', 3],
  ])('gives %j %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
    expect(countTokens(text)).toBe(tokens);
  });

  it('looks at the part between start and end alone', () => {
    const text = 'aaa bbb ccc\nddd eee fff\n';
    expect(estimateTokens(text, 12, 23)).toBe(estimateTokens('ddd eee fff'));
    expect(estimateTokens(text, 5, 5)).toBe(0);
  });

  it.each(['a', 'q', '=', '7', 'あ', ' ', '\n', '😀'])('does not lose sight of 50,000 repeated %j', (part) => {
    const text = part.repeat(50_000 / part.length);
    const exact = 8 * countTokens(text.slice(0, text.length / 8), AS_TEXT);
    expect(estimateTokens(text) / exact).toBeGreaterThan(0.25);
    expect(estimateTokens(text) / exact).toBeLessThan(4);
  });

  it('takes time in proportion to the text', () => {
    const text = SAMPLES['the engine’s own code'] ?? '';
    estimateTokens(text);
    const begun = performance.now();
    for (let pass = 0; pass < 10; pass += 1) estimateTokens(text);
    // A tenth of what it does when nothing else runs.
    expect((text.length * 10) / 1000 / (performance.now() - begun)).toBeGreaterThan(10);
  });
});
