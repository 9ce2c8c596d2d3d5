import { appendFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { ProviderEvent } from '@jeeves/protocol';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { createCodexProvider } from '../../src/providers/codexSdk.ts';
import { type CodexStep, installStandIns, isRunning } from './installed.ts';
import { PRUNER, runOptions, type TestRun } from './options.ts';

const installed = installStandIns();
const { directory, eventFile } = installed;
const provider = createCodexProvider({ from: [directory] });

beforeEach(() => rmSync(eventFile, { force: true }));
afterAll(installed.remove);

const STARTED = { type: 'thread.started', thread_id: 'th' };
const MESSAGE = { type: 'item.completed', item: { id: 'item_9', type: 'agent_message', text: 'Done.' } };
const COMPLETED = { type: 'turn.completed', usage: { input_tokens: 5, output_tokens: 1 } };
const FAILURE = 'MCP server startup failed server_name="pruner" error=connection closed: "initialize" response';

function run(steps: readonly CodexStep[], more: Partial<TestRun> = {}): TestRun {
  return runOptions({
    cwd: directory,
    mcpServers: { pruner: { ...PRUNER, env: { JEEVES_EVENT_FILE: eventFile } } },
    eventFile,
    env: { STAND_IN: JSON.stringify(steps), PATH: process.env['PATH'] },
    ...more,
  });
}

async function collect(options: TestRun): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of provider.run('Read it.', options)) events.push(event);
  return events;
}

function call(id: string, error: string | null = null): object {
  const result = error === null ? { content: [{ type: 'text', text: 'x' }] } : null;
  const item = { id, type: 'mcp_tool_call', server: 'pruner', tool: 'read', arguments: {}, result };
  const status = error === null ? 'completed' : 'failed';
  return { type: 'item.completed', item: { ...item, error: error === null ? null : { message: error }, status } };
}

test('a run begins with its prompt and ends with its result', async () => {
  const events = await collect(run([{ out: STARTED }, { out: MESSAGE }, { out: COMPLETED }]));
  expect(events.map(({ type }) => type)).toEqual(['user', 'system', 'assistant', 'result', 'usage']);
});

verifies(
  'agents.codex.hint',
  'the prompt tells of the server, which many models would not hear of otherwise',
  async () => {
    const [told] = await collect(run([{ out: COMPLETED }]));
    expect(told).toMatchObject({ type: 'user', content: expect.stringMatching(/^Read it\.\n\n.*mcp__pruner__\*/) });
    const [plain] = await collect(runOptions({ cwd: directory, env: run([{ out: COMPLETED }]).env }));
    expect(plain).toMatchObject({ type: 'user', content: 'Read it.' });
  },
);

verifies('agents.missing', 'a Codex that is not installed is named, with the command that installs it', async () => {
  const nowhere = createCodexProvider({ from: [tmpdir()] }).run('x', runOptions());
  await expect(nowhere[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'sdk_missing',
    message: expect.stringContaining('npm install @openai/codex-sdk'),
  });
});

describe('servers', () => {
  verifies('agents.codex.silent-start', 'that do not start are noticed in the log', async () => {
    const options = run([{ out: STARTED }, { err: `WARN codex_mcp::rmcp_client: ${FAILURE}` }, { out: COMPLETED }]);
    await collect(options);
    const message = 'connection closed: "initialize" response';
    expect(options.reports).toEqual([{ server: 'pruner', status: 'failed', message }]);
  });

  test('that write their ready event are reported, with their process', async () => {
    const options = run([{ out: STARTED }, { out: COMPLETED }]);
    appendFileSync(
      eventFile,
      `{"ts":"","level":"info","event":"mcp_pruner.ready","data":{"root":"/","pid":7777777}}\n`,
    );
    await collect(options);
    expect(options.reports).toEqual([{ server: 'pruner', status: 'ready', pid: 7_777_777 }]);
  });

  test('that answer a call are there, whatever they write', async () => {
    const options = run([{ out: STARTED }, { out: call('a') }, { out: call('b') }, { out: COMPLETED }]);
    await collect(options);
    expect(options.reports).toEqual([{ server: 'pruner', status: 'ready' }]);
  });

  test('whose transport is closed are dead', async () => {
    const options = run([
      { out: call('a') },
      { out: call('b', 'Caused by:\n    Transport closed') },
      { out: COMPLETED },
    ]);
    await collect(options);
    expect(options.reports.map(({ status }) => status)).toEqual(['ready', 'died']);
  });

  test('that are slow are not', async () => {
    const options = run([{ out: call('a', 'timed out awaiting tools/call after 2s') }, { out: COMPLETED }]);
    await collect(options);
    expect(options.reports).toEqual([]);
  });

  test('that Codex cannot be told of are reported', async () => {
    const options = run([{ out: COMPLETED }], { mcpServers: { 'a.b': PRUNER } });
    await collect(options);
    expect(options.reports).toEqual([
      { server: 'a.b', status: 'failed', message: expect.stringContaining('plain names') },
    ]);
  });
});

describe('a run that fails', () => {
  verifies('agents.codex.api-failure', 'because of the model’s API says what that said', async () => {
    const failed = { type: 'turn.failed', error: { message: 'stream error: 500' } };
    await expect(collect(run([{ out: STARTED }, { out: failed }, { exit: 1 }]))).rejects.toMatchObject({
      code: 'provider_failed',
      message: 'stream error: 500',
    });
  });

  test('without an event says what stood on standard error', async () => {
    await expect(collect(run([{ err: 'error: unexpected argument' }, { exit: 2 }]))).rejects.toMatchObject({
      code: 'provider_failed',
      message: 'Codex ended with exit code 2: error: unexpected argument',
    });
  });

  test('by calling more tools than allowed is stopped', async () => {
    const steps: CodexStep[] = [{ out: call('a') }, { out: call('b') }, { forever: true }];
    await expect(collect(run(steps, { maxTurns: 2 }))).rejects.toMatchObject({
      code: 'provider_failed',
      message: 'Codex was stopped after 2 tool calls.',
    });
  });
});

describe('what is left behind', () => {
  verifies('agents.no-process-left', 'by a client that is stopped is ended, deaf or not', async () => {
    const options = run([{ leaveServer: eventFile }, { forever: true }]);
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

  test('by one that nobody listens to any more is ended, too', async () => {
    const options = run([{ leaveServer: eventFile }, { forever: true }]);
    let pid = 0;
    for await (const event of provider.run('x', options)) {
      if (event.type !== 'system') continue;
      pid = Number(event.sessionId);
      break;
    }
    expect(pid).toBeGreaterThan(0);
    expect(isRunning(pid)).toBe(false);
  });
});
