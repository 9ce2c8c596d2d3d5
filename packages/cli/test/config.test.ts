import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig, readConfig } from '../src/config.ts';

const home = mkdtempSync(join(tmpdir(), 'jeeves-config-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('the configuration', () => {
  test('of an empty environment has nothing but defaults', () => {
    expect(readConfig({}, '/home/me')).toEqual({
      home: '/home/me',
      environment: {},
      colour: 'auto',
      pruner: {},
      deepinfra: {},
    });
  });

  test('takes what is set, and an empty variable for unset', () => {
    const config = readConfig(
      {
        JEEVES_STORE: 'memory:',
        PRUNER_URL: ' http://localhost:1/prune ',
        PRUNER_TIMEOUT_MS: '',
        DEEPINFRA_API_KEY: 'key',
        DEEPINFRA_MAX_DOCS: '12',
      },
      '/home/me',
    );
    expect(config).toMatchObject({
      home: '/home/me',
      colour: 'auto',
      storeUrl: 'memory:',
      pruner: { url: 'http://localhost:1/prune' },
      deepinfra: { apiKey: 'key', maxDocs: '12' },
    });
  });

  test('knows the home directory in the address of a store', () => {
    expect(readConfig({ JEEVES_STORE: 'sqlite:~/x.db' }, '/home/$&me').storeUrl).toBe('sqlite:/home/$&me/x.db');
    expect(readConfig({ JEEVES_STORE: 'sqlite:~other/x.db' }, '/home/me').storeUrl).toBe('sqlite:~other/x.db');
  });

  test.each([
    [{ NO_COLOR: '1' }, 'never'],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, 'never'],
    [{ NO_COLOR: '' }, 'auto'],
    [{ FORCE_COLOR: '1' }, 'always'],
    [{ FORCE_COLOR: '0' }, 'never'],
    [{ TERM: 'dumb' }, 'never'],
    [{ TERM: 'xterm-256color' }, 'auto'],
  ])('with %j paints %s', (env, colour) => {
    expect(readConfig(env, '/').colour).toBe(colour);
  });

  test('takes from the configuration file what the environment leaves open', async () => {
    const file = join(home, 'config.toml');
    writeFileSync(file, 'store = "memory:"\n[mcp_pruner]\ndeepinfra_max_docs = 7\ndeepinfra_timeout_ms = 9\n');
    const env = { JEEVES_CONFIG: file, DEEPINFRA_MAX_DOCS: '12' };
    const config = await loadConfig(env, home);
    expect(config).toMatchObject({ storeUrl: 'memory:', deepinfra: { maxDocs: '12', timeoutMs: '9' } });
    expect(config.environment).toEqual(env);
    expect(await loadConfig({}, home)).toEqual(readConfig({}, home));
  });

  test('cannot be changed', () => {
    const config = readConfig({ DEEPINFRA_API_KEY: 'key' }, '/');
    expect(Object.isFrozen(config) && Object.isFrozen(config.deepinfra)).toBe(true);
  });
});
