import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRoot } from '../../src/exec/root.ts';
import { search } from '../../src/exec/search.ts';
import { createSearcher, type Engine, requestFor } from './searching.ts';
import { temporaryDirectory, writeTree } from './world.ts';

const base = temporaryDirectory();
const root = join(base, 'root');
writeTree(root, { 'words.txt': 'other words\n' });

const ENGINES: readonly Engine[] = ['rg', 'grep'];
const searcher = await createSearcher(root, join(base, 'programs'));

describe.each(ENGINES)('what %s finds is looked up in the files again', (engine) => {
  const odd = join(base, `odd-${engine}`);
  writeTree(odd, {
    'utf16.txt': Buffer.from('\uFEFFzero\nneedle é\n', 'utf16le'),
    'nul.bin': 'a\0needle one\nneedle two\n',
    'dir/long.txt': `${'é'.repeat(100_000)} needle\n`,
    'dir/lines.txt': `${'\n'.repeat(100_000)}needle`,
  });

  it('in whatever way the program saw them', async () => {
    const paths = ['utf16.txt', 'nul.bin', 'dir'].map((name) => join(odd, name));
    const { matches } = await searcher(engine, 'needle', { root: odd, paths, contextLines: 1 });
    const lines = matches.map(({ path, line }) => `${path}:${line}`);
    expect(lines).toEqual(expect.arrayContaining(['dir/lines.txt:100001', 'dir/long.txt:1']));
    expect(lines.some((line) => line.startsWith('nul.bin'))).toBe(true);
    // grep knows no UTF-16.
    expect(lines.includes('utf16.txt:2')).toBe(engine === 'rg');
  });

  it('and left out, with a word about it, when it does not stand there', async () => {
    const request = await requestFor(odd, 'needle', join(base, 'programs', engine));
    const other = await openRoot(root);
    const openFile = (): Promise<FileHandle> => other.openFile('words.txt');
    const result = await search({ ...request, root: { path: odd, openFile } }, { bundled: () => null });
    expect(result).toMatchObject({ matches: [], truncated: true, engine });
  });
});
