import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { checkRipgrep, checkSettings } from '../../src/doctor/parts.ts';

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

describe('settings that no server starts with', () => {
  test('are named', () => {
    const problems = [{ variable: 'MCP_PRUNER_PORT', message: 'expected an integer' }];
    const file = { path: '/nowhere', exists: false };
    const check = checkSettings({ file, settings: [], problems, refusal: 'invalid_port: expected an integer' });
    expect(check).toMatchObject({ status: 'broken', fix: 'correct MCP_PRUNER_PORT' });
    expect(check.details).toEqual(['MCP_PRUNER_PORT: expected an integer']);
  });
});
