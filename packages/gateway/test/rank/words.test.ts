import { describe, expect, test } from 'vitest';
import { stemsOf, wordsOf } from '../../src/rank/words.ts';

describe('words', () => {
  test.each([
    ['createPullRequest', ['create', 'pull', 'request']],
    ['create_pull-request', ['create', 'pull', 'request']],
    ['HTTPServer2', ['http', 'server', '2']],
    ['Café über', ['cafe', 'uber']],
    ['天気 weather', ['天気', 'weather']],
    ['', []],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test.each([
    ['translate translates translating translated translation translations translator'],
    ['delete deletes deleting deleted deletion'],
    ['notify notifies notified notification'],
    ['query queries querying'],
    ['schedule schedules scheduled scheduling'],
    ['box boxes'],
    ['run running runs ran'],
    ['organize organise organising organizer organization'],
    ['repo repos repository repositories'],
    ['meet meeting meetings met'],
  ])('are one where they are forms of one: %s', (forms) => {
    expect(new Set(stemsOf(forms)).size).toBe(1);
  });

  test.each([['customer custom'], ['number numb'], ['station state'], ['file fill'], ['order border'], ['new news']])(
    'are two where they are two: %s',
    (pair) => {
      expect(new Set(stemsOf(pair)).size).toBe(2);
    },
  );

  test('of a hostile length take no time', () => {
    const started = performance.now();
    for (const unit of ['a', 'aB', '_', '\u0301', 'ing']) stemsOf(unit.repeat(500_000));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
