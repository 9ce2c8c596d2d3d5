import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { readRunnerConfig, withPruning } from '../src/config.ts';
import type { AgentProvider } from '../src/provider.ts';
import { createClaudeProvider } from '../src/providers/claudeAgentSdk.ts';
import { createCodexProvider } from '../src/providers/codexSdk.ts';
import { runAgent } from '../src/runner.ts';
import { installStandIns } from './providers/installed.ts';
import { readJsonLines, world } from './world.ts';

const { path, env } = world();

/** Stops when told to, and has its own words for that: clients do not know why they are stopped. */
const OBEDIENT: AgentProvider = {
  name: 'obedient',
  async *run(prompt, { abort }) {
    yield { type: 'user', content: prompt, timestamp: '2026-01-01T00:00:00.000Z' };
    await new Promise((resolve) => abort.addEventListener('abort', resolve));
    throw new Error('The run was stopped.');
  },
};

test.each([
  ['out of time', () => ({ timeoutMs: 50 }), { status: 'timed_out', error_type: 'timeout' }, 'longer than 50 ms'],
  [
    'cancelled',
    () => ({ abort: AbortSignal.timeout(50) }),
    { status: 'cancelled', error_type: 'aborted' },
    'cancelled',
  ],
])('a run that is %s says so, whatever its agent called it', async (what, stop, recorded, error) => {
  const { run } = await runAgent({
    runId: 'id',
    provider: OBEDIENT,
    prompt: 'wait',
    cwd: path,
    directory: join(path, what),
    config: readRunnerConfig(env(), path),
    ...stop(),
  });
  expect(run).toMatchObject(recorded);
  expect(run.error).toContain(error);
});

/** What a stand-in of a client does. */
function script(steps: readonly object[]): { readonly STAND_IN: string } {
  return { STAND_IN: JSON.stringify(steps) };
}

describe('a client that fails by itself', () => {
  const installed = installStandIns();
  afterAll(installed.remove);
  const CLIENTS: readonly (readonly [string, AgentProvider, Readonly<Record<string, string>>])[] = [
    ['a Claude SDK that is not installed', createClaudeProvider({ from: [path] }), {}],
    [
      'a Claude Code that does not start',
      createClaudeProvider({ from: [installed.directory] }),
      script([{ fail: 'x' }]),
    ],
    ['a Codex that is not installed', createCodexProvider({ from: [path] }), {}],
    ['a Codex that ends at once', createCodexProvider({ from: [installed.directory] }), script([{ exit: 1 }])],
  ];
  for (const [at, [name, provider, more]] of CLIENTS.entries()) {
    verifies('runner.client-failed', `is not blamed on the pruner: ${name}`, async () => {
      const directory = join(path, `client-${at}`);
      const config = withPruning(readRunnerConfig(env(more), path));
      const { run } = await runAgent({ runId: 'id', provider, prompt: 'x', cwd: path, directory, config });
      expect(run.status).toBe('failed');
      expect(run.states.at(1)).toBe('run:mcp_pruner_starting');
      const events = readJsonLines(join(directory, 'events.jsonl')).filter(({ source }) => source === 'runner');
      expect(events.map(({ event }) => event)).toEqual(['mcp_pruner.not_running']);
    });
  }
});

verifies('runner.old-names', 'a variable of an earlier draft is named, with the one to set', async () => {
  const directory = join(path, 'old-names');
  const names = { JEEVES_MCP_PRUNER_ENABLED: 'true', JEEVES_PRUNER_ENDPOINT: 'http://localhost:1/' };
  const config = readRunnerConfig(env(names), path);
  const provider: AgentProvider = { name: 'idle', async *run() {} };
  await runAgent({ runId: 'id', provider, prompt: 'x', cwd: path, directory, config });
  expect(readJsonLines(join(directory, 'events.jsonl')).slice(0, 2)).toMatchObject([
    {
      event: 'mcp_pruner.config_invalid',
      level: 'warn',
      data: { variable: 'JEEVES_MCP_PRUNER_ENABLED', message: 'nothing reads it; set JEEVES_PRUNER_ENABLED' },
    },
    { data: { variable: 'JEEVES_PRUNER_ENDPOINT', message: 'nothing reads it; set JEEVES_PRUNER_URL' } },
  ]);
});
