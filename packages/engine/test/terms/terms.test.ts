import { describe, expect, it } from 'vitest';
import { split } from '../../src/split.ts';
import { scanGoal, scanTexts } from '../../src/terms/terms.ts';
import { Vocabulary } from '../../src/terms/vocabulary.ts';

describe('terms', () => {
  it.each([
    [
      'identifiers split at case, digits and underscores, and count whole too',
      'getUserName2',
      ['get', 'user', 'nam', '2', 'getusername2'],
    ],
    ['acronyms end before the word they lead', 'HTTPServer', ['http', 'serv', 'httpserver']],
    ['snake case', 'max_retry_count', ['max', 'retr', 'count', 'maxretrycount']],
    ['constants', 'MAX_RETRIES', ['max', 'retr', 'maxretries']],
    ['punctuation parts words', 'a.b(c)', ['a', 'b', 'c']],
    ['accents fold away', 'Élagué pruné', ['elagu', 'prun']],
    ['ideographs are terms by themselves', '修剪 x', ['修', '剪', 'x']],
    ['nothing to say', ' \t;{}', []],
  ])('%s', (_title, text, words) => {
    expect(scanGoal(text, new Vocabulary()).words).toEqual(words);
  });

  it.each([
    ['retry retries retried retrying'],
    ['parse parses parsed parsing parser'],
    ['stop stops stopped stopping'],
    ['call calls called calling'],
    ['cache caches cached caching'],
  ])('brings %s together', (family) => {
    const stems = scanGoal(family, new Vocabulary()).words;
    expect(new Set(stems).size).toBe(1);
  });

  it('counts in how many lines a term occurs', () => {
    const table = scanTexts(split('alpha beta\nalpha alpha\ngamma\n'));
    const [alpha = -1, gamma = -1, missing] = scanGoal('alpha gamma delta', table.vocabulary).ids;
    expect([table.frequency[alpha], table.frequency[gamma], missing]).toEqual([2, 1, -1]);
  });

  it('keeps apart a hundred thousand different words', () => {
    const table = scanTexts(split(Array.from({ length: 100_000 }, (_, at) => `w${at.toString(36)}x`).join('\n')));
    expect(table.vocabulary.size).toBeGreaterThan(100_000);
  });
});
