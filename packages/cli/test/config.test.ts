import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

describe('the configuration', () => {
  test('of an empty environment has nothing but defaults', () => {
    expect(readConfig({}, '/home/me')).toEqual({ home: '/home/me', colour: 'auto', pruner: {}, deepinfra: {} });
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
    expect(config).toEqual({
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

  test('cannot be changed', () => {
    const config = readConfig({ DEEPINFRA_API_KEY: 'key' }, '/');
    expect(Object.isFrozen(config) && Object.isFrozen(config.deepinfra)).toBe(true);
  });
});
