import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { relatedTo } from '../../src/rank/lexicon.ts';
import { aliases, related } from '../../src/rank/lexicon-file.ts';
import { stemOf } from '../../src/rank/stem.ts';

const FILE = new URL('../../src/rank/lexicon.json', import.meta.url);
const WORD = /^[\p{L}\p{N}]+$/u;

describe('the file of words', () => {
  verifies('gateway.rank.words-file', 'says at its top what its lines look like, and all of them do', () => {
    const text = readFileSync(FILE, 'utf8');
    expect(text.indexOf('"format"')).toBe(4);
    const file = JSON.parse(text) as Record<'format' | 'related' | 'aliases', string[]>;
    expect(Object.keys(file)).toEqual(['format', 'aliases', 'related']);
    const wrong = [
      ...file.related.filter((line) => !line.startsWith('# ') && !line.split(' > ').every(isList)),
      ...file.related.filter((line) => line.split(' > ').length > 2),
      ...file.aliases.filter((line) => line.split(': ').length !== 2 || !line.split(': ').every(isList)),
    ];
    expect(wrong).toEqual([]);
  });

  verifies('gateway.rank.words-file', 'is read as it is written', () => {
    expect(related().length).toBeGreaterThan(2000);
    expect(aliases().get('repos')).toBe('repository');
    expect(relatedTo(stemOf('delete')).get(stemOf('remove'))).toBe(0.6);
    expect(relatedTo(stemOf('lint')).get(stemOf('check'))).toBe(0.45);
    expect(relatedTo(stemOf('cosy')).get(stemOf('heat'))).toBe(0.45);
    expect(relatedTo(stemOf('heat')).get(stemOf('cosy'))).toBeUndefined();
  });
});

function isList(part: string | undefined): boolean {
  return part?.split(' ').every((word) => WORD.test(word)) === true;
}
