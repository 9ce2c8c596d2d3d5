import { appendFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { ProviderEvent } from '@jeeves/protocol';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { createClaudeProvider } from '../../src/providers/claudeAgentSdk.ts';
import { type ClaudeStep, installStandIns, isRunning } from './installed.ts';
import { PRUNER, runOptions, type TestRun } from './options.ts';

const installed = installStandIns();
const { directory, eventFile } = installed;
const provider = createClaudeProvider({ from: [directory], root: true });

beforeEach(() => rmSync(eventFile, { force: true }));
afterAll(installed.remove);

const INIT = {
  type: 'system',
  subtype: 'init',
  session_id: 's',
  mcp_servers: [{ name: 'pruner', status: 'connected' }],
};
const DONE = { type: 'result', subtype: 'success', is_error: false, result: 'Done.' };
const CALL = { tool_name: 'mcp__pruner__read', tool_use_id: 't1' };

function run(steps: readonly ClaudeStep[], more: Partial<TestRun> = {}): TestRun {
  return runOptions({
    cwd: directory,
    mcpServers: { pruner: { ...PRUNER, env: { JEEVES_EVENT_FILE: eventFile } } },
    eventFile,
    env: { STAND_IN: JSON.stringify(steps) },
    ...more,
  });
}

async function collect(options: TestRun): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of provider.run('Read it.', options)) events.push(event);
  return events;
}

function serverStarts(): void {
  const line = { ts: '', level: 'info', event: 'mcp_pruner.ready', data: { root: '/project' } };
  appendFileSync(eventFile, `${JSON.stringify(line)}\n`);
}

test('a run begins with its prompt and ends with its result', async () => {
  const events = await collect(run([{ message: INIT }, { message: DONE }]));
  expect(events.map(({ type }) => type)).toEqual(['user', 'system', 'result', 'usage']);
  expect(events[0]).toMatchObject({ content: 'Read it.' });
});

verifies('agents.missing', 'an SDK that is not installed is named, with the command that installs it', async () => {
  const nowhere = createClaudeProvider({ from: [tmpdir()] }).run('x', runOptions());
  await expect(nowhere[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'sdk_missing',
    message: expect.stringContaining('npm install @anthropic-ai/claude-agent-sdk'),
  });
});

describe('servers', () => {
  test('that are connected are reported once, whatever they say themselves', async () => {
    const options = run([{ message: INIT }, { hook: 'PostToolUse', input: CALL }, { message: DONE }]);
    serverStarts();
    await collect(options);
    expect(options.reports).toEqual([{ server: 'pruner', status: 'ready' }]);
  });

  test.each(['failed', 'pending'])('that are %s at the start are reported with the reason', async (status) => {
    const options = run([{ message: { ...INIT, mcp_servers: [{ name: 'pruner', status }] } }, { message: DONE }]);
    await collect(options);
    expect(options.reports).toEqual([{ server: 'pruner', status: 'failed', message: 'Connection closed' }]);
  });

  test('that close the connection in a call are reported, and taken away when the run says so', async () => {
    const input = { ...CALL, error: 'Connection closed' };
    const options = run([{ message: INIT }, { hook: 'PostToolUseFailure', input }, { message: DONE }]);
    const reports = options.reports;
    await collect({
      ...options,
      onServer(report) {
        reports.push(report);
        if (report.status === 'died') options.withdrawServers();
      },
    });
    expect(reports.map(({ status }) => status)).toEqual(['ready', 'died', 'withdrawn']);
  });

  test('that refuse a call are not dead', async () => {
    const input = { ...CALL, error: 'not_found: there is no a.txt' };
    const options = run([{ message: INIT }, { hook: 'PostToolUseFailure', input }, { message: DONE }]);
    await collect(options);
    expect(options.reports.map(({ status }) => status)).toEqual(['ready']);
  });

  verifies('agents.claude.respawn', 'that were started again are reported a second time', async () => {
    const options = run([{ message: INIT }, { hook: 'PostToolUse', input: CALL }, { message: DONE }]);
    for await (const { type } of provider.run('x', options)) {
      if (type !== 'system') continue;
      serverStarts();
      serverStarts();
    }
    expect(options.reports.map(({ status }) => status)).toEqual(['ready', 'ready']);
  });

  test('are not taken away while they are busy', async () => {
    const options = run([
      { message: INIT },
      { hook: 'PreToolUse', input: CALL },
      { message: { type: 'system', subtype: 'api_retry' } },
      { hook: 'PostToolUse', input: CALL },
      { message: DONE },
    ]);
    const statuses: string[] = [];
    for await (const event of provider.run('x', options)) {
      if (event.type !== 'system') continue;
      if (event.subtype === undefined) options.withdrawServers();
      await new Promise((resolve) => setImmediate(resolve));
      statuses.push(options.reports.at(-1)?.status ?? '');
    }
    expect(statuses).toEqual(['ready', 'ready']);
    expect(options.reports.at(-1)).toEqual({ server: 'pruner', status: 'withdrawn' });
  });
});

test('how long a call took stands with its result', async () => {
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'x' };
  const steps: ClaudeStep[] = [
    { message: INIT },
    { hook: 'PostToolUse', input: { ...CALL, duration_ms: 38 } },
    { message: { type: 'user', message: { content: [result] } } },
    { message: DONE },
  ];
  expect(await collect(run(steps))).toContainEqual(expect.objectContaining({ type: 'tool_result', durationMs: 38 }));
});

describe('a run that fails', () => {
  verifies('agents.claude.api-failure', 'because of the model’s API says what that said', async () => {
    const failed = { type: 'result', subtype: 'success', is_error: true, result: 'API Error: 500 boom' };
    await expect(collect(run([{ message: INIT }, { message: failed }, { fail: 'exit 1' }]))).rejects.toMatchObject({
      code: 'provider_failed',
      message: 'API Error: 500 boom',
    });
  });

  test.each([
    [
      'because the client breaks',
      [{ message: INIT }, { fail: 'process exited with code 1' }],
      'process exited with code 1',
    ],
    ['because the client has nothing to say', [{ message: INIT }], 'Claude Code ended without a result'],
  ] as const)('%s says so', async (_, steps, message) => {
    await expect(collect(run(steps))).rejects.toMatchObject({ code: 'provider_failed', message });
  });
});

describe('a run that is stopped', () => {
  test('throws, and its client is gone by then', async () => {
    const options = run([{ spawn: true }, { untilAborted: true }]);
    let pid = 0;
    const stopped = (async () => {
      for await (const event of provider.run('x', options)) {
        if (event.type !== 'system') continue;
        pid = Number(event.sessionId);
        expect(isRunning(pid)).toBe(true);
        options.abortRun();
      }
    })();
    await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
    expect(isRunning(pid)).toBe(false);
  });

  test('before it began does nothing', async () => {
    const options = run([{ message: INIT }]);
    options.abortRun();
    await expect(collect(options)).rejects.toThrow();
    expect(options.reports).toEqual([]);
  });
});
