import { expect, test } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { readRunnerConfig, withoutPruning, withPruning } from '../src/config.ts';

const HOME = '/home/me';

verifies('runner.run-default', 'a user who set nothing gets pruning by the embedded engine; what is set wins', () => {
  expect(withPruning(readRunnerConfig({}, HOME))).toMatchObject({ enabled: 'true', url: 'embedded:' });
  const set = { JEEVES_PRUNER_ENABLED: 'off', JEEVES_PRUNER_URL: '' };
  expect(withPruning(readRunnerConfig(set, HOME))).toMatchObject({ enabled: 'off', url: '' });
  expect(withPruning(readRunnerConfig({ JEEVES_PRUNER_ENABLED: '' }, HOME)).enabled).toBe('');
});

test('pruning is switched off whatever the environment says', () => {
  expect(withoutPruning(readRunnerConfig({ JEEVES_PRUNER_ENABLED: '1' }, HOME)).enabled).toBe('false');
});

test('variables of the server are passed on, but neither empty ones nor another server’s root', () => {
  const env = {
    PRUNER_TIMEOUT_MS: '500',
    MCP_PRUNER_OUTPUT: 'text',
    MCP_PRUNER_TOOLS: ' ',
    MCP_PRUNER_CWD: '/elsewhere',
    PRUNER_URL: 'http://other/prune',
    ANTHROPIC_API_KEY: 'k',
  };
  expect(readRunnerConfig(env, HOME).serverEnv).toEqual({ PRUNER_TIMEOUT_MS: '500', MCP_PRUNER_OUTPUT: 'text' });
});

test.each([
  [undefined, 'sqlite:/home/me/.local/state/jeeves/jeeves.db'],
  ['', 'sqlite:/home/me/.local/state/jeeves/jeeves.db'],
  ['sqlite:~/a.db', 'sqlite:/home/me/a.db'],
  ['memory:', 'memory:'],
])('the store %s is %s', (given, store) => {
  expect(readRunnerConfig({ JEEVES_STORE: given }, HOME).store).toBe(store);
});
