import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toExtended } from '../../src/exec/dialect.ts';
import { createSearcher } from './searching.ts';
import { temporaryDirectory, writeTree } from './world.ts';

const base = temporaryDirectory();
const root = join(base, 'root');
const LINES = [
  'port 5432',
  'the word d',
  'Arabic ٣ digits',
  'snake_case',
  'über alles',
  'tab\there',
  'two  blanks',
  'nothing',
  'cat',
  'concatenate',
  'a.b-c',
  'a]b',
  'x[1]',
  'x^2',
  String.raw`back\slash`,
  'aaa',
  'a+b',
  "it's",
  '-',
  '',
];
writeTree(base, { 'root/lines.txt': `${LINES.join('\n')}\n` });
const searcher = await createSearcher(root, join(base, 'programs'));

async function linesOf(engine: 'rg' | 'grep', pattern: string): Promise<string[]> {
  return (await searcher(engine, pattern)).matches.map(({ text }) => text);
}

describe('a pattern for ripgrep', () => {
  it.each([
    String.raw`\d`,
    String.raw`\d+`,
    String.raw`\D\d\D`,
    String.raw`^\D+$`,
    String.raw`\w_\w`,
    String.raw`^\w+$`,
    String.raw`\W`,
    String.raw`\s`,
    String.raw`\s{2}`,
    String.raw`^\S+$`,
    String.raw`\bcat\b`,
    String.raw`\Bcat\B`,
    String.raw`[\w.-]+-\w`,
    String.raw`^[\w\s]+$`,
    String.raw`[^\w\s]`,
    String.raw`[\d]`,
    String.raw`[\[\]]`,
    String.raw`[\]^]`,
    String.raw`[\^]`,
    String.raw`[\[.]`,
    String.raw`[\\]`,
    '[a-c]at',
    '[-x]',
    '[^]]$',
    '[[:digit:]]',
    String.raw`\t`,
    String.raw`\.`,
    String.raw`\-`,
    String.raw`\'s`,
    String.raw`a\+b`,
    'a+?b',
    'c.*?t',
    '^a{2,3}?$',
    '(?:cat|dog)',
    '^$',
  ])('finds the same lines with grep: %s', async (pattern) => {
    const found = await linesOf('grep', pattern);
    expect(found).toEqual(await linesOf('rg', pattern));
    expect(found.length).toBeGreaterThan(0);
  });

  it.each([
    [String.raw`\p{Greek}`, String.raw`\p`],
    [String.raw`\x41`, String.raw`\x`],
    [String.raw`(a)\1`, String.raw`\1`],
    [String.raw`\b{start}x`, String.raw`\b`],
    ['(?i)cat', '(?i'],
    [String.raw`[\D]`, String.raw`\D between brackets`],
    ['[a-z&&[^b]]', '&& between brackets'],
  ])('is refused where grep has no word for it: %s', async (pattern, what) => {
    const problem = { code: 'rg_error', exitCode: 2, message: expect.stringContaining(what) };
    await expect(linesOf('grep', pattern)).rejects.toMatchObject(problem);
  });

  it('that both understand stays as it is', () => {
    for (const pattern of ['o(n|w)e', '^a.*b$', 'x{2,3}', String.raw`\(\)\[\]\{\}\^\$\|\\`]) {
      expect(toExtended(pattern)).toBe(pattern);
    }
  });
});
