import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { checkRipgrep, checkSettings, checkShell, checkStore } from '../../src/doctor/parts.ts';

const empty = mkdtempSync(join(tmpdir(), 'jeeves-doctor-parts-'));
const withGrep = mkdtempSync(join(tmpdir(), 'jeeves-doctor-parts-'));
symlinkSync(execFileSync('which', ['grep'], { encoding: 'utf8' }).trim(), join(withGrep, 'grep'));
afterAll(() => {
  for (const directory of [empty, withGrep]) rmSync(directory, { recursive: true, force: true });
});

function contextWith(path: string): Context {
  return { config: { environment: { PATH: path } } } as unknown as Context;
}

function nothing(): undefined {
  return undefined;
}

describe('a missing search program', () => {
  test.each([
    ['is a warning where grep can stand in', withGrep, 'warning'],
    ['is broken where nothing can', empty, 'broken'],
  ])('%s', async (_, path, status) => {
    expect(await checkRipgrep(contextWith(path), nothing)).toMatchObject({ status, fix: 'install ripgrep' });
  });
});

describe('a store that cannot be used', () => {
  const text = join(empty, '..', `${basename(empty)}.txt`);
  writeFileSync(text, 'no database\n'.repeat(100));
  afterAll(() => rmSync(text));

  test.each([
    ['of no known kind', 'bogus:', /^set JEEVES_STORE to sqlite:<path> or postgres:/],
    [
      'on a server that is not there',
      `postgres://u:hush@${'x'.repeat(70)}.invalid/db?password=hush`,
      /^see to that server/,
    ],
    ['that is no database', `sqlite:${text}`, /^see to that file/],
    ['where nobody may write', 'sqlite:/proc/jeeves.db', /^make its directory writable/],
  ])('is broken: one %s', async (_, storeUrl, fix) => {
    const context = { config: { storeUrl }, now: Date.now, randomBytes } as unknown as Context;
    const check = await checkStore(context);
    expect(check).toMatchObject({ status: 'broken', fix: expect.stringMatching(fix) });
    expect(JSON.stringify(check)).not.toContain('hush');
  });
});

describe('a login shell', () => {
  const home = mkdtempSync(join(tmpdir(), 'jeeves-doctor-parts-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test.each([
    ['whose profile fails', 'exit 3', {}, ['broken', /profile fails.* exit code 3/, /SHELL_LOGIN=0/]],
    ['whose profile is slow', 'exec sleep 100', { limitMs: 300 }, ['broken', /profile is slow/, /SHELL_LOGIN=0/]],
    ['that is not there', '', { path: empty }, ['broken', /cannot be run/, /^install bash/]],
    ['that nobody asks for', 'exit 3', { login: false }, ['ok', /profile files are left out/, /^none$/]],
  ] as const)('%s is told as that', async (_, profile, given, [status, found, fix]) => {
    const { path, login, limitMs } = { path: process.env['PATH'], login: true, limitMs: 20_000, ...given };
    writeFileSync(join(home, '.bash_profile'), `${profile}\n`);
    const context = { config: { environment: { PATH: path, HOME: home } }, cwd: home } as unknown as Context;
    const check = await checkShell(context, login, limitMs);
    expect([check.status, check.found, check.fix ?? 'none']).toEqual([
      status,
      expect.stringMatching(found),
      expect.stringMatching(fix),
    ]);
  });
});

describe('settings that no server starts with', () => {
  test('are named', () => {
    const problems = [{ variable: 'MCP_PRUNER_PORT', message: 'expected an integer' }];
    const file = { path: '/nowhere', exists: false };
    const check = checkSettings({ file, settings: [], problems, refusal: 'invalid_port: expected an integer' });
    expect(check).toMatchObject({ status: 'broken', fix: 'correct MCP_PRUNER_PORT' });
    expect(check.details).toEqual(['MCP_PRUNER_PORT: expected an integer']);
  });
});
