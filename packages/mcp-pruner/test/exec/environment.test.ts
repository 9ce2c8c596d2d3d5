import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { scrubbed } from '../../src/exec/environment.ts';
import { runProcess } from '../../src/exec/process.ts';

const CANARY = 'canary-value';

const DROPPED = `
  OPENAI_API_KEY MY_API_KEY MYAPIKEY openai_api_key DEEPINFRA_API_KEY DEEPINFRA_ENDPOINT_URL
  ANTHROPIC_API_KEY ANTHROPIC_AUTH OPENAI_ORG GITHUB_TOKEN NPM_TOKEN TOKEN MCP_PRUNER_TOKEN
  npm_config_//registry/:_authToken AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_ACCESS_KEY_ID
  CLIENT_SECRET SECRET Secret_Sauce DB_PASSWORD PGPASSWORD MYSQL_PASSWD SSH_PASSPHRASE
  GOOGLE_APPLICATION_CREDENTIALS DEPLOY_PRIVATE_KEY JEEVES_STORE PRUNER_URL JEEVES_PRUNER_URL NODE_OPTIONS LD_PRELOAD
  LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES BASH_ENV ENV PROMPT_COMMAND SHELLOPTS BASHOPTS PS4 IFS
  BASH_FUNC_ls%% RIPGREP_CONFIG_PATH GREP_OPTIONS GREP_COLORS
`
  .trim()
  .split(/\s+/);

const KEPT = [
  'PATH',
  'HOME',
  'LANG',
  'TERM',
  'AWS_REGION',
  'AWS_PROFILE',
  'SSH_AUTH_SOCK',
  'EDITOR',
  'KEYBOARD',
  'PS1',
];

it('drops secrets and whatever changes the programs that a command starts', () => {
  const env = Object.fromEntries([...DROPPED, ...KEPT].map((name) => [name, CANARY]));
  expect(Object.keys(scrubbed(env))).toEqual(KEPT);
});

it('hands no canary to a command', async () => {
  const canaries = Object.fromEntries(DROPPED.map((name) => [name, CANARY]));
  const env = scrubbed({ ...process.env, ...canaries, HARMLESS: 'harmless' });
  const { signal } = new AbortController();
  const limits = { mkfifo: null, timeoutMs: 5000, maxOutputBytes: 1 << 20, signal };
  const { stdout } = await runProcess({ command: 'bash', args: ['-c', 'env; set'], cwd: tmpdir(), env, ...limits });
  expect(stdout).toContain('HARMLESS=harmless');
  expect(stdout).not.toContain(CANARY);
});

it('lets the caller set what was dropped', () => {
  expect(
    scrubbed({ API_TOKEN: 'server', PATH: '/bin', UNSET: undefined }, { API_TOKEN: 'caller', EXTRA: '1' }),
  ).toEqual({
    PATH: '/bin',
    API_TOKEN: 'caller',
    EXTRA: '1',
  });
});
