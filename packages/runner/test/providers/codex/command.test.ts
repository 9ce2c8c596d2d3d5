import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../../test/e2e/verifies.ts';
import type { ProviderRunOptions } from '../../../src/provider.ts';
import { codexArguments, codexEnvironment } from '../../../src/providers/codex/command.ts';
import { PRUNER, runOptions } from '../options.ts';

/** What Codex is told by `--config`. */
function overridesOf(more: Partial<ProviderRunOptions> = {}): string[] {
  const args = codexArguments(runOptions(more));
  return args.filter((_, index) => args[index - 1] === '--config');
}

verifies('runner.codex', 'a server becomes overrides of its command, arguments and environment, no url', () => {
  const overrides = overridesOf({ mcpServers: { pruner: PRUNER } });
  expect(overrides).toEqual(
    expect.arrayContaining([
      'mcp_servers.pruner.command="node"',
      'mcp_servers.pruner.args=["/x/index.js"]',
      'mcp_servers.pruner.env.PRUNER_URL="embedded:"',
      'mcp_servers.pruner.env.MCP_PRUNER_CWD="/project"',
    ]),
  );
  expect(overrides.join('\n')).not.toMatch(/\.url=|transport|streamable_http/);
});

verifies('runner.codex.omitted', 'without servers there is no override for any', () => {
  expect(overridesOf().filter((override) => override.includes('mcp_'))).toEqual([]);
});

verifies(
  ['agents.codex.approved', 'agents.codex.grace'],
  'tools need no approval, and the first request waits for the server',
  () => {
    expect(overridesOf({ mcpServers: { pruner: PRUNER } })).toEqual(
      expect.arrayContaining([
        'mcp_servers.pruner.default_tools_approval_mode="approve"',
        'mcp_optional_startup_grace_ms=10000',
        'mcp_servers.pruner.startup_timeout_sec=10',
        'mcp_servers.pruner.tool_timeout_sec=330',
      ]),
    );
  },
);

test('the time a server may take to start follows MCP_TIMEOUT', () => {
  const overrides = overridesOf({ mcpServers: { pruner: PRUNER }, env: { MCP_TIMEOUT: '1500' } });
  expect(overrides).toContain('mcp_optional_startup_grace_ms=1500');
  expect(overrides).toContain('mcp_servers.pruner.startup_timeout_sec=1.5');
});

test('no arguments, no override of them', () => {
  const overrides = overridesOf({ mcpServers: { pruner: { command: 'pruner' } } });
  expect(overrides).toContain('mcp_servers.pruner.command="pruner"');
  expect(overrides.join('\n')).not.toContain('.args');
});

test.each([
  ['a server', { 'my.pruner': PRUNER }],
  ['a variable', { pruner: { command: 'node', env: { 'a.b': 'c' } } }],
])('%s whose name Codex would split is left out', (_, mcpServers) => {
  expect(overridesOf({ mcpServers }).filter((override) => override.includes('mcp_'))).toEqual([]);
});

describe('the endpoint', () => {
  test.each([
    ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_API_KEY: 'k' }],
    [
      'CODEX_BASE_URL',
      { CODEX_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_BASE_URL: 'http://elsewhere', CODEX_API_KEY: 'k' },
    ],
  ])('is taken from %s', (_, env) => {
    expect(overridesOf({ env })).toEqual(
      expect.arrayContaining([
        'model_provider="jeeves"',
        'model_providers.jeeves.base_url="http://127.0.0.1:1/v1"',
        'model_providers.jeeves.wire_api="responses"',
        'model_providers.jeeves.env_key="CODEX_API_KEY"',
      ]),
    );
  });

  test('needs no key where there is none', () => {
    expect(overridesOf({ env: { OPENAI_BASE_URL: 'http://127.0.0.1:1' } }).join('\n')).not.toContain('env_key');
  });

  test.each([[{}], [{ OPENAI_BASE_URL: ' ' }]])('is Codex’s own with %j', (env) => {
    expect(overridesOf({ env }).join('\n')).not.toContain('model_provider');
  });
});

describe('the command', () => {
  test.each([
    [undefined, 'danger-full-access'],
    ['bypassPermissions', 'danger-full-access'],
    ['acceptEdits', 'workspace-write'],
    ['plan', 'read-only'],
  ])('for the permission mode %s has the sandbox %s', (permissionMode, sandbox) => {
    const args = codexArguments(runOptions({ permissionMode }));
    expect(args[args.indexOf('--sandbox') + 1]).toBe(sandbox);
  });

  test.each([
    ['gpt-a', { CODEX_MODEL: 'gpt-b' }, 'gpt-a'],
    [undefined, { CODEX_MODEL: 'gpt-b', OPENAI_MODEL: 'gpt-c' }, 'gpt-b'],
    [undefined, { CODEX_MODEL: '', OPENAI_MODEL: 'gpt-c' }, 'gpt-c'],
  ])('for the model %s and %j has %s', (model, env, wanted) => {
    const args = codexArguments(runOptions({ model, env }));
    expect(args[args.indexOf('--model') + 1]).toBe(wanted);
  });

  test('without a model leaves the choice to Codex', () => {
    expect(codexArguments(runOptions())).not.toContain('--model');
  });

  test('works in the run’s directory, says everything as JSON, asks nobody and fetches nothing', () => {
    const args = codexArguments(runOptions());
    expect(args.slice(0, 3)).toEqual(['exec', '--json', '--ephemeral']);
    expect(args[args.indexOf('--cd') + 1]).toBe('/project');
    expect(args.at(-1)).toBe('-');
    expect(overridesOf()).toEqual(
      expect.arrayContaining(['approval_policy="never"', 'features.plugins=false', 'analytics.enabled=false']),
    );
  });
});

describe('the environment', () => {
  test('has the key under Codex’s name, and asks the log for servers alone', () => {
    expect(codexEnvironment(runOptions({ env: { OPENAI_API_KEY: 'k' } }))).toMatchObject({
      OPENAI_API_KEY: 'k',
      CODEX_API_KEY: 'k',
      RUST_LOG: 'error,codex_mcp=warn',
    });
  });

  test('keeps what the user set', () => {
    const env = codexEnvironment(
      runOptions({ env: { CODEX_API_KEY: 'mine', OPENAI_API_KEY: 'k', RUST_LOG: 'debug' } }),
    );
    expect(env).toMatchObject({ CODEX_API_KEY: 'mine', RUST_LOG: 'debug,codex_mcp=warn' });
  });
});
