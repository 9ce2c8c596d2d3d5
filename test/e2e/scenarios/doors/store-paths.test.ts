import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@jeeves/store';
import { afterAll, describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { PROGRAM } from '../cli/program.ts';
import { PROGRAMS } from '../text/service.ts';

const directory = mkdtempSync(join(tmpdir(), 'jeeves-paths-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a program with no home in an empty working tree, to its end or to its first line. */
async function withoutHome(args: readonly string[], stdin = ''): Promise<{ out: string; left: string[] }> {
  const tree = mkdtempSync(join(directory, 'tree-'));
  const env = { PATH: process.env['PATH'], HOME: '' };
  const child = spawn(process.execPath, [...args], { cwd: tree, env });
  let out = '';
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    if (out.includes('mcp_pruner.ready')) child.kill('SIGTERM');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stdin.end(stdin);
  await ended;
  return { out, left: readdirSync(tree) };
}

describe('the path of a store', () => {
  const fifo = join(directory, 'fifo');
  execFileSync('sh', ['-c', 'mkfifo "$0"', fifo]);
  const link = join(directory, 'link');
  symlinkSync('/dev/zero', link);
  for (const [path, why] of [
    ['/dev/null', 'not a file'],
    ['/dev/zero', 'not a file'],
    [fifo, 'not a file'],
    [link, 'not a file'],
    [directory, 'directory'],
    ['texts.db', 'relative'],
    ['./texts.db', 'relative'],
    ['../texts.db', 'relative'],
  ] as const) {
    verifies(
      'doors.store-paths',
      `${path.replace(directory, '')} is refused, and nothing is made beside it`,
      async () => {
        await expect(openStore(`sqlite:${path}`)).rejects.toMatchObject({
          code: 'store_failed',
          message: expect.stringContaining(why),
        });
        for (const end of ['.lock', '.new', '-wal']) expect(existsSync(path + end)).toBe(false);
      },
    );
  }

  verifies('doors.store-paths', 'may be a link to a file', async () => {
    const file = join(directory, 'real.db');
    await (await openStore(`sqlite:${file}`)).close();
    const other = join(directory, 'linked.db');
    symlinkSync(file, other);
    await (await openStore(`sqlite:${other}`)).close();
  });
});

describe('an empty HOME', () => {
  verifies('doors.store-paths', 'puts no store of the command line into the working tree', async () => {
    const text = Array.from({ length: 300 }, (_, at) => `line ${at}`).join('\n');
    const { out, left } = await withoutHome([PROGRAM, 'prune', '--goal', 'line 7'], text);
    expect(out).toContain('set HOME');
    expect(left).toEqual([]);
  });

  verifies('doors.store-paths', 'puts no token of the service into the working tree', async () => {
    const { out, left } = await withoutHome([...PROGRAMS['jeeves-mcp-pruner'], '--port', '0']);
    expect(out).toContain('mcp_pruner.ready');
    expect(left).toEqual([]);
  });

  verifies('doors.store-paths', 'makes no configuration of the working tree count', async () => {
    const tree = mkdtempSync(join(directory, 'config-'));
    execFileSync('mkdir', ['-p', join(tree, '.config', 'jeeves')]);
    writeFileSync(join(tree, '.config', 'jeeves', 'config.toml'), 'store = "memory:"\n');
    const env = { PATH: process.env['PATH'], HOME: '' };
    const shown = execFileSync(process.execPath, [PROGRAM, 'config'], { cwd: tree, env, encoding: 'utf8' });
    expect(shown).not.toContain('memory:');
  });
});
