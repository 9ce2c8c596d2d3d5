import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../../test/e2e/verifies.ts';
import { claudeOptions } from '../../../src/providers/claude/options.ts';
import { PRUNER, runOptions } from '../options.ts';

const SERVERS = { pruner: PRUNER };

verifies('runner.claude', 'servers are passed through as they are', () => {
  const { mcpServers } = claudeOptions(runOptions({ mcpServers: SERVERS }), { root: false });
  expect(mcpServers).toEqual({ pruner: expect.objectContaining(PRUNER) });
});

verifies('runner.claude.omitted', 'without servers the options have no such key', () => {
  expect(claudeOptions(runOptions(), { root: false })).not.toHaveProperty('mcpServers');
});

verifies('agents.claude.always-loaded', 'tools are never hidden behind a search, and calls outlast any command', () => {
  const { mcpServers } = claudeOptions(runOptions({ mcpServers: SERVERS }), { root: false });
  expect(mcpServers?.['pruner']).toMatchObject({ alwaysLoad: true, timeout: 330_000 });
});

describe('permissions', () => {
  const bypass = { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true };
  const listed = {
    permissionMode: 'dontAsk',
    allowedTools: expect.arrayContaining(['Bash', 'Edit', 'mcp__pruner__*']),
  };

  const ordinary = { root: false };
  const root = { root: true };

  test.each([
    ['are skipped for an ordinary user', ordinary, {}, bypass],
    ['are listed for root, who may not skip them', root, {}, listed],
    ['are listed for root although skipping is asked for', root, { permissionMode: 'bypassPermissions' }, listed],
    ['are skipped for root in a sandbox', root, { env: { IS_SANDBOX: '1' } }, bypass],
    ['are listed for root where the sandbox is switched off', root, { env: { IS_SANDBOX: '0' } }, listed],
    ['are listed for root in what Claude takes for no sandbox', root, { env: { IS_SANDBOX: 'yes' } }, listed],
    ['are listed on request', ordinary, { permissionMode: 'dontAsk' }, listed],
    ['are skipped where a plan would wait for approval', ordinary, { permissionMode: 'plan' }, bypass],
    ['are skipped where the mode would ask', ordinary, { permissionMode: 'default' }, bypass],
  ])('%s', (_, surroundings, options, wanted) => {
    expect(claudeOptions(runOptions({ mcpServers: SERVERS, ...options }), surroundings)).toMatchObject(wanted);
  });

  test('name the tools of a server as Claude does', () => {
    const options = runOptions({ mcpServers: { 'my.pruner v2': PRUNER } });
    expect(claudeOptions(options, { root: true }).allowedTools).toContain('mcp__my_pruner_v2__*');
  });

  test('leave out what outlives a run', () => {
    const { allowedTools } = claudeOptions(runOptions(), { root: true });
    expect(allowedTools).not.toContain('CronCreate');
    expect(allowedTools).not.toContain('ScheduleWakeup');
  });
});

describe('the environment', () => {
  test('has what the run allows, endpoint included, and nothing undefined', () => {
    const { env } = claudeOptions(
      runOptions({ env: { PATH: '/bin', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', HTTP_PROXY: undefined } }),
      { root: false },
    );
    expect(env).toMatchObject({ PATH: '/bin', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' });
    expect(Object.keys(env)).not.toContain('HTTP_PROXY');
  });

  test('keeps the client from talking to anybody but the model, unless the user says otherwise', () => {
    const { env } = claudeOptions(runOptions({ env: { DISABLE_TELEMETRY: '' } }), { root: false });
    expect(env).toMatchObject({ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_TELEMETRY: '' });
  });

  test.each([
    [undefined, '10000'],
    ['1500', '1500'],
    ['soon', '10000'],
    ['-1', '10000'],
  ])('gives a server %s to start: %s ms', (given, wanted) => {
    expect(claudeOptions(runOptions({ env: { MCP_TIMEOUT: given } }), { root: false }).env['MCP_TIMEOUT']).toBe(wanted);
  });

  test('hides a Claude session that the runner was started from', () => {
    expect(claudeOptions(runOptions({ env: { CLAUDECODE: '1' } }), { root: false }).env).not.toHaveProperty(
      'CLAUDECODE',
    );
  });
});

test('nothing of the user’s own settings counts, and the client’s own prompt is used', () => {
  expect(claudeOptions(runOptions({ model: 'sonnet', maxTurns: 3 }), { root: false })).toMatchObject({
    cwd: '/project',
    model: 'sonnet',
    maxTurns: 3,
    settingSources: [],
    strictMcpConfig: true,
    persistSession: false,
    systemPrompt: { type: 'preset', preset: 'claude_code' },
  });
});

test('an absent model is left to the client', () => {
  expect(claudeOptions(runOptions(), { root: false })).not.toHaveProperty('model');
});
