import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { temporary } from './world.ts';

const ONE = '{"mcpServers": {"one": {"command": "x", "cwd": "y"}}}';

test('the user’s own file is read when none is named', () => {
  const home = temporary();
  mkdirSync(join(home, '.config', 'jeeves'), { recursive: true });
  writeFileSync(join(home, '.config', 'jeeves', 'gateway.json'), ONE);
  const { servers, path } = loadConfig({ cwd: temporary(), home, env: {} });
  expect(path).toBe(join(home, '.config', 'jeeves', 'gateway.json'));
  expect(servers[0]?.target).toMatchObject({ cwd: join(home, '.config', 'jeeves', 'y') });
});

test('a file that is named is looked for from the working directory', () => {
  const cwd = temporary();
  writeFileSync(join(cwd, 'mine.json'), ONE);
  expect(loadConfig({ path: 'mine.json', cwd, home: cwd, env: {} }).servers).toHaveLength(1);
});

test('files in the working tree are not looked for', () => {
  const cwd = temporary();
  for (const name of ['.mcp.json', 'mcp.json', 'gateway.json', '.env', 'config.toml'])
    writeFileSync(join(cwd, name), ONE);
  expect(() => loadConfig({ cwd, home: temporary(), env: {} })).toThrow(/gateway\.json: there is no such file; write/);
});

test('what is no file is refused', () => {
  const cwd = temporary();
  expect(() => loadConfig({ path: 'x', cwd, home: cwd, env: {} })).toThrow(`${join(cwd, 'x')}: there is no such file`);
  expect(() => loadConfig({ path: '.', cwd, home: cwd, env: {} })).toThrow(`${cwd}: is not a file`);
});
