import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { readText } from '../../src/exec/read.ts';
import { openRoot, type Root } from '../../src/exec/root.ts';
import { type Case, cases, layTraps } from './escapes.ts';
import { CANARY, outcomeOf, temporaryDirectory } from './world.ts';

const base = temporaryDirectory();
layTraps(base);
const groups = Object.entries(cases(base));

async function read(root: Root, path: string): Promise<string> {
  const handle = await root.openFile(path);
  try {
    return (await readText(handle, { maxBytes: 4096 })).text;
  } finally {
    await handle.close();
  }
}

function shown(path: string): string {
  return path.length > 200 ? `${path.slice(0, 40)}… (${path.length})` : path;
}

test('there are more than three hundred different ways to try', () => {
  const paths = groups.flatMap(([, group]) => group.map(([path]) => path));
  expect(new Set(paths).size).toBeGreaterThan(300);
});

describe.each([
  ['a root', 'root', {}],
  ['a root reached through a link', 'alias', {}],
  ['a system that does not name open files', 'root', { descriptors: '/nowhere' }],
])('%s', (_, name, options) => {
  describe.each(groups)('%s', (_, group) => {
    verifies(
      'security.t2.paths',
      'give the file inside the root or the right refusal, and no byte from outside',
      async () => {
        const root = await openRoot(join(base, name), options);
        const outcomes: Case[] = [];
        for (const [path] of group) outcomes.push([shown(path), await outcomeOf(read(root, path))]);
        expect(outcomes).toEqual(group.map(([path, expected]) => [shown(path), expected]));
        expect(JSON.stringify(outcomes)).not.toContain(CANARY);
      },
    );

    test('resolve to nothing outside either', async () => {
      const root = await openRoot(join(base, name), options);
      for (const [path, expected] of group) {
        const resolved = await outcomeOf(root.resolve(path).then((found) => found.path));
        if (expected !== 'inside' && !resolved.startsWith(root.path)) expect(resolved, shown(path)).toBe(expected);
        else expect(`${resolved}/`, shown(path)).toContain(`${root.path}/`);
      }
    });
  });
});

test('a hard link is a file like any other: the disk does not tell where it was first', async () => {
  expect(await read(await openRoot(join(base, 'root')), 'hard.txt')).toBe('inside');
});
