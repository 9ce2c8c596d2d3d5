import { describe, expect, test } from 'vitest';
import { summarise } from '../../src/record/summarise.ts';

describe('a summary', () => {
  test('of a short output is the output', () => {
    const { text, truncated, compression } = summarise({ content: 'all good\n', isError: false });
    expect({ text, truncated, mode: compression.mode }).toEqual({ text: 'all good\n', truncated: false, mode: 'none' });
  });

  test('of a long one names the error, the files and the lines', () => {
    const noise = Array.from({ length: 100 }, (_, at) => `step ${at} done`);
    const content = [...noise, 'TypeError: x is not a function', '    at run (src/app/main.ts:42:7)', ...noise].join(
      '\n',
    );
    const { text, truncated, compression } = summarise({ content, isError: false, command: 'npm test' });
    expect(truncated).toBe(true);
    expect(compression).toMatchObject({
      mode: 'extractive_summary',
      raw_char_count: content.length,
      summary_char_count: text.length,
      structured_summary: {
        command: 'npm test',
        error_signature: 'TypeError: x is not a function',
        file_paths: ['src/app/main.ts'],
        line_numbers: ['42'],
      },
    });
    expect(text).toContain('TypeError: x is not a function');
    expect(text).not.toContain('step 50 done');
  });

  test('stays within its limit whatever the output is', () => {
    for (const content of [
      'x'.repeat(5_000_000),
      'error a.b/c '.repeat(20_000),
      './a.b/'.repeat(30_000),
      '\n'.repeat(9999),
    ]) {
      const { text, compression } = summarise({ content, isError: false });
      expect(text.length).toBeLessThanOrEqual(2000);
      expect(compression.raw_char_count).toBe(content.length);
    }
  });

  test('of a failure says what failed even when it is short', () => {
    const { text, compression } = summarise({ content: 'cannot open a.txt', isError: true });
    expect(text).toBe('cannot open a.txt');
    expect(compression.structured_summary).toMatchObject({ error_signature: 'cannot open a.txt' });
  });
});
