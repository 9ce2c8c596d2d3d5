import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRunnerConfig } from '../src/config.ts';
import type { AgentProvider } from '../src/provider.ts';
import { runAgent } from '../src/runner.ts';
import { world } from './world.ts';

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
