import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { commandsWith, FAULTY_SERVER, logWithError, world } from '../../../../packages/runner/test/world.ts';
import { verifies } from '../../verifies.ts';

const { path, file, run } = world();
file('app.log', logWithError());

const GOAL = 'why is the database connection refused';
const READ = { call: 'read', with: { file_path: 'app.log' }, goal: GOAL };

describe('an agent with the pruner', () => {
  verifies(
    ['runner.states', 'runner.events.ready'],
    'reads pruned text and recovers a gap, and all of it is recorded',
    async () => {
      const { outcome, events, served, run: recorded, sdk, left } = await run([READ, { recover: 'first' }]);
      expect(outcome.status).toBe('succeeded');
      expect(recorded.states).toEqual([
        'run:init',
        'run:mcp_pruner_starting',
        'run:mcp_pruner_running',
        'run:shutdown',
      ]);
      expect(events).toMatchObject([{ event: 'mcp_pruner.ready', data: { root: path } }]);
      expect(served.map(({ event }) => event)).toEqual(
        expect.arrayContaining(['mcp_pruner.ready', 'pruner.call_ok', 'tool.respond_ok', 'mcp_pruner.stopped']),
      );
      const [read, recovered] = sdk.tool_calls;
      expect(read).toMatchObject({ name: 'mcp:pruner/read', is_error: false });
      expect(read?.response_text).toContain('ERROR database connection refused on port 5432');
      expect(recovered?.name).toBe('mcp:pruner/recover_text');
      expect(logWithError()).toContain(recovered?.response_text ?? 'nothing');
      expect(left()).toEqual([]);
    },
  );

  verifies('runner.extra-env', 'has its server write to the run’s event file and to the configured store', async () => {
    const store = join(path, 'own.db');
    const { served } = await run([{ call: 'read', with: { file_path: 'app.log' }, goal: GOAL }], {
      env: { JEEVES_STORE: `sqlite:${store}`, MCP_PRUNER_TOOLS: 'read' },
    });
    expect(served[0]?.event).toBe('mcp_pruner.ready');
    expect(existsSync(store)).toBe(true);
    const { sdk } = await run([{ call: 'bash', with: { command: 'echo hi' } }], { env: { MCP_PRUNER_TOOLS: 'read' } });
    expect(sdk.tool_calls[0]).toMatchObject({ name: 'mcp:pruner/bash', is_error: true });
  });

  verifies('runner.url.empty', 'gets raw outputs when the address is empty, and its tools', async () => {
    const { sdk } = await run([READ], { env: { JEEVES_PRUNER_URL: '' } });
    expect(sdk.tool_calls[0]).toMatchObject({ name: 'mcp:pruner/read', is_error: false });
    expect(sdk.tool_calls[0]?.response_compression?.raw_char_count).toBe(logWithError().length);
  });
});

describe('an agent without the pruner', () => {
  verifies(['runner.enabled', 'runner.not-running'], 'uses its own tools, and the record says why', async () => {
    for (const env of [{}, { JEEVES_PRUNER_ENABLED: 'false' }]) {
      const { outcome, events, sdk } = await run([READ], { env, bare: true });
      expect(outcome.status).toBe('succeeded');
      expect(sdk.tool_calls[0]?.name).toBe('read');
      expect(events.map(({ event, data }) => [event, data])).toEqual([
        ['mcp_pruner.disabled', { reason: 'config_disabled' }],
        ['mcp_pruner.not_running', undefined],
      ]);
    }
  });

  verifies(
    ['runner.config-invalid', 'runner.url.invalid', 'runner.path.explicit'],
    'runs on when its configuration is invalid, and the record says what is wrong',
    async () => {
      const WRONG = { JEEVES_PRUNER_URL: 'localhost:8000', JEEVES_MCP_PRUNER_PATH: join(path, 'missing.js') };
      for (const [variable, value] of Object.entries(WRONG)) {
        const { outcome, events } = await run([READ], { env: { [variable]: value } });
        expect(outcome.status).toBe('succeeded');
        expect(events).toMatchObject([
          { event: 'mcp_pruner.config_invalid', data: { variable } },
          { event: 'mcp_pruner.disabled', data: { reason: 'config_invalid' } },
          { event: 'mcp_pruner.not_running' },
        ]);
      }
    },
  );
});

describe('a server', () => {
  verifies(
    'runner.degraded',
    'that its client starts again without a word is taken away for the rest of the run',
    async () => {
      const { outcome, events, sdk } = await run([READ, { restart: true }, READ, READ]);
      expect(outcome.status).toBe('succeeded');
      expect(events.map(({ event }) => event)).toEqual([
        'mcp_pruner.ready',
        'mcp_pruner.exited',
        'mcp_pruner.degraded',
        'mcp_pruner.shutdown_after_degraded',
      ]);
      expect(sdk.tool_calls[0]?.name).toBe('mcp:pruner/read');
      expect(sdk.tool_calls[2]?.name).toBe('read');
    },
  );

  verifies('runner.next-run', 'that was lost is there again in the next run', async () => {
    const lost = await run([READ, { kill: 'SIGKILL' }, READ]);
    expect(lost.run.states).toContain('run:mcp_pruner_degraded');
    const next = await run([READ]);
    expect(next.run.states.slice(0, 3)).toEqual(['run:init', 'run:mcp_pruner_starting', 'run:mcp_pruner_running']);
    expect(next.sdk.tool_calls[0]?.name).toBe('mcp:pruner/read');
  });
});

describe('a run', () => {
  verifies('runner.record', 'leaves a record that only its owner can read', async () => {
    const {
      directory,
      sdk,
      run: recorded,
    } = await run([{ say: 'looking' }, READ, { call: 'bash', with: { command: 'seq 1 40000' } }]);
    for (const name of ['run.json', 'events.jsonl', 'last-run.log', 'sdk-output.json']) {
      expect(statSync(join(directory, name)).mode & 0o077).toBe(0);
    }
    expect(recorded).toMatchObject({ schema: 'jeeves.run.v1', status: 'succeeded', provider: 'fake', cwd: path });
    expect(sdk).toMatchObject({
      schema: 'jeeves.sdk.v1',
      session_id: 'fake-session',
      success: true,
      stats: { tool_call_count: 2, num_turns: 4 },
    });
    const log = readFileSync(join(directory, 'last-run.log'), 'utf8');
    for (const tag of ['RUNNER', 'SYSTEM:init', 'USER', 'ASSISTANT', 'TOOL', 'TOOL_RESULT', 'MCP', 'RESULT', 'USAGE']) {
      expect(log).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\S+Z \\[${tag}\\] `, 'm'));
    }
    const call = sdk.tool_calls[1];
    const retrieval = call?.response_retrieval;
    expect(call).toMatchObject({ response_truncated: true, response_compression: { mode: 'extractive_summary' } });
    if (retrieval?.status !== 'available') throw new Error('no raw output');
    expect(retrieval.chunk_count).toBeGreaterThan(1);
    const raw = retrieval.artifact_paths.map((part) => readFileSync(join(directory, part), 'utf8')).join('');
    expect(raw.startsWith('1\n2\n3\n')).toBe(true);
    expect(raw.length).toBe(call?.response_compression?.raw_char_count);
  });

  verifies('runner.failed', 'whose agent fails is recorded as failed, with its server ended', async () => {
    const { outcome, run: recorded, sdk, left } = await run([READ, { fail: 'the model is overloaded' }]);
    expect(outcome.status).toBe('failed');
    expect(recorded).toMatchObject({
      status: 'failed',
      error: 'the model is overloaded',
      error_type: 'provider_failed',
    });
    expect(sdk).toMatchObject({ success: false, error: 'the model is overloaded' });
    expect(recorded.states.at(-1)).toBe('run:shutdown');
    expect(left()).toEqual([]);
  });

  verifies(
    'runner.cancelled',
    'that is cancelled while its server hangs at the start does not wait for it',
    async () => {
      const server = { command: 'node', args: [FAULTY_SERVER, 'hangs'] };
      const started = performance.now();
      const { run: recorded, left } = await run([READ], { server, startTimeoutMs: 600_000, timeoutMs: 500 });
      expect(recorded.status).toBe('timed_out');
      expect(performance.now() - started).toBeLessThan(10_000);
      expect(left()).toEqual([]);
    },
  );

  verifies('runner.cancelled', 'that is cancelled or out of time ends its server and its commands', async () => {
    const seconds = `600.${process.pid}`;
    const LONG = { call: 'bash', with: { command: `sleep ${seconds}` } };
    const late = await run([LONG], { timeoutMs: 900 });
    expect(late.run).toMatchObject({ status: 'timed_out', error_type: 'timeout' });
    expect(late.left()).toEqual([]);
    const cancelled = await run([LONG], { abort: AbortSignal.timeout(900) });
    expect(cancelled.run).toMatchObject({ status: 'cancelled', error_type: 'aborted' });
    expect(cancelled.left()).toEqual([]);
    expect(commandsWith(seconds)).toEqual([]);
  });
});
