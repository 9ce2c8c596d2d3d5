import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { collectFiles } from '../../src/verify/files.ts';
import { Random } from '../../src/verify/random.ts';

const made: string[] = [];

function directory(files: Readonly<Record<string, string | Buffer>>): string {
  const root = mkdtempSync(join(tmpdir(), 'jeeves-files-'));
  made.push(root);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
});

async function collect(root: string, paths: readonly string[] = ['.']) {
  const { files, leftOut } = await collectFiles(paths, root, new Random('1'));
  return { names: files.map(({ path }) => path).sort(), leftOut: Object.fromEntries(leftOut) };
}

describe('files to verify', () => {
  test('are the texts of a directory, and what is left out is counted', async () => {
    const root = directory({
      'a.txt': 'a\n',
      'sub/b.txt': 'b\n',
      'image.png': Buffer.from([0x89, 0, 1]),
      'latin1.txt': Buffer.from([0x61, 0xe9]),
      'empty.txt': '',
      'huge.txt': 'x'.repeat(500 * 1024),
    });
    symlinkSync(join(root, 'a.txt'), join(root, 'link.txt'));
    expect(await collect(root)).toEqual({
      names: ['a.txt', 'sub/b.txt'],
      leftOut: { 'binary or not UTF-8': 2, empty: 1, 'larger than 400 KiB': 1 },
    });
  });

  test('leave out what git ignores', async () => {
    const root = directory({ '.gitignore': 'out/\n', 'a.txt': 'a\n', 'out/b.txt': 'b\n' });
    execFileSync('git', ['init', '-q'], { cwd: root });
    expect((await collect(root)).names).toEqual(['.gitignore', 'a.txt']);
  });

  test('leave out hidden files and installed packages where there is no git', async () => {
    const root = directory({ 'a.txt': 'a\n', '.env': 'KEY=1\n', 'node_modules/b/index.js': 'b\n' });
    expect((await collect(root)).names).toEqual(['a.txt']);
  });

  test('are taken once, however often they are named', async () => {
    const root = directory({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    expect((await collect(root, ['a.txt', '.', join(root, 'a.txt')])).names).toEqual(['a.txt', 'b.txt']);
  });

  test('are bounded in number', async () => {
    const root = directory(Object.fromEntries(Array.from({ length: 160 }, (_, at) => [`${at}.txt`, 'x\n'])));
    const { names, leftOut } = await collect(root);
    expect(names.length).toBe(150);
    expect(leftOut).toEqual({ 'beyond the first 150 files': 10 });
  });

  test('must exist', async () => {
    await expect(collect(directory({}), ['missing.txt'])).rejects.toThrow('missing.txt: cannot be read: no such file');
  });
});
