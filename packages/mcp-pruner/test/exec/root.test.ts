import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText } from '../../src/exec/read.ts';
import { openRoot, PathError, type Root } from '../../src/exec/root.ts';
import { outcomeOf, temporaryDirectory, unprivileged, writeTree } from './world.ts';

const base = temporaryDirectory();
const path = join(base, 'root');
writeTree(base, { 'root/a.txt': 'a', 'root/dir/b.txt': 'b', 'outside/c.txt': 'c' });
symlinkSync(path, join(base, 'link-to-root'));
symlinkSync('dir', join(path, 'link-to-dir'));
symlinkSync('../outside', join(path, 'link-out'));

async function read(root: Root, wanted: string): Promise<string> {
  const handle = await root.openFile(wanted);
  try {
    return (await readText(handle, { maxBytes: 1024 })).text;
  } finally {
    await handle.close();
  }
}

describe('opening a root', () => {
  it('resolves its own links once', async () => {
    expect((await openRoot(join(base, 'link-to-root'))).path).toBe(path);
  });

  it.each([
    ['a file', 'root/a.txt', 'invalid_path'],
    ['nothing', 'missing', 'not_found'],
  ])('refuses %s', async (_, name, code) => {
    await expect(openRoot(join(base, name))).rejects.toMatchObject({ name: 'PathError', code });
  });
});

describe.each([
  ['named directly', path],
  ['named by a link', join(base, 'link-to-root')],
])('a root %s', (_, name) => {
  it.each([
    ['.', '.'],
    ['', '.'],
    ['a.txt', 'a.txt'],
    ['./dir/../a.txt', 'a.txt'],
    ['dir/', 'dir'],
    ['link-to-dir/b.txt', 'dir/b.txt'],
    [path, '.'],
    [join(path, 'dir/b.txt'), 'dir/b.txt'],
  ])('resolves %j to %j', async (wanted, relative) => {
    expect(await (await openRoot(name)).resolve(wanted)).toEqual({ path: join(path, relative), relative });
  });

  it('accepts absolute paths that start with its own name', async () => {
    const root = await openRoot(name);
    expect(await root.resolve(join(name, 'dir/b.txt'))).toEqual({
      path: join(path, 'dir/b.txt'),
      relative: 'dir/b.txt',
    });
    expect(await read(root, join(name, 'a.txt'))).toBe('a');
  });

  it.each([
    ['dir', 'dir'],
    ['link-to-dir', 'dir'],
    ['.', '.'],
    ['a.txt', 'invalid_path'],
    ['..', 'invalid_path'],
    ['link-out', 'invalid_path'],
    ['missing', 'not_found'],
  ])('takes %j for a working directory as %j', async (wanted, expected) => {
    const root = await openRoot(name);
    expect(await outcomeOf(root.resolveDirectory(wanted).then(({ relative }) => relative))).toBe(expected);
  });
});

describe('files without permission', () => {
  writeTree(path, { 'secret.txt': 's', 'closed/d.txt': 'd' });
  chmodSync(join(path, 'secret.txt'), 0o000);
  chmodSync(join(path, 'closed'), 0o000);

  it.each(['secret.txt', 'closed/d.txt', 'closed/missing'])('are permission_denied: %s', async (wanted) => {
    const root = await openRoot(path);
    expect(await unprivileged(() => outcomeOf(read(root, wanted)))).toBe('permission_denied');
  });

  it('outside the root are not told apart from others there', async () => {
    mkdirSync(join(base, 'outside/closed'), { mode: 0o000 });
    const root = await openRoot(path);
    expect(await unprivileged(() => outcomeOf(read(root, 'link-out/closed/x')))).toBe('invalid_path');
  });
});

describe('messages', () => {
  it.each([
    ['../outside/c.txt', '../outside/c.txt is outside the root'],
    ['link-out/c.txt', 'link-out/c.txt is outside the root'],
    ['missing', 'missing does not exist'],
    ['dir', 'dir is not a regular file'],
    ['a.txt\0', 'the path contains a NUL byte'],
  ])('for %j name the path as it was given', async (wanted, message) => {
    const root = await openRoot(path);
    await expect(read(root, wanted)).rejects.toThrow(message);
    await expect(read(root, wanted)).rejects.toBeInstanceOf(PathError);
  });
});

it('reads the whole disk when that is the root, except what shows processes', async () => {
  const root = await openRoot('/');
  expect(await read(root, join(path, 'a.txt'))).toBe('a');
  expect(await outcomeOf(read(root, '/proc/self/environ'))).toBe('invalid_path');
  expect(await outcomeOf(root.resolve('/proc/self/environ').then(() => 'resolved'))).toBe('invalid_path');
});
