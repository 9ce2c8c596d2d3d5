import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@jeeves/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { createLifecycle } from '../src/lifecycle.ts';
import { type ServerWatch, watchServers } from '../src/serverWatch.ts';
import { world } from './world.ts';

const { path } = world();
const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));
let count = 0;

interface Watched {
  readonly watch: ServerWatch;
  readonly states: readonly RunState[];
  readonly escalated: readonly number[];
  /** How long servers lasted that could not say so themselves. */
  readonly stopped: readonly number[];
  readonly say: (event: string, data?: object) => void;
  /** A process with the environment of a server of this run. */
  readonly start: (program: string) => Promise<{ pid: number; child: ChildProcess }>;
}

/** A run whose server is up. */
function watched(): Watched {
  count += 1;
  const eventFile = join(path, `events-${count}.jsonl`);
  const lifecycle = createLifecycle(() => undefined);
  const escalated: number[] = [];
  const stopped: number[] = [];
  const watch = watchServers({
    lifecycle,
    eventFile,
    root: path,
    onLine: () => undefined,
    onEscalated: (pid) => escalated.push(pid),
    onStopped: (ms) => stopped.push(ms),
    patience: { leaveMs: 200, graceMs: 1000 },
  });
  lifecycle.send({ type: 'config_resolved' });
  watch.report({ server: 'pruner', status: 'ready' });
  const say = (event: string, data: object = {}): void => {
    const line = { ts: new Date().toISOString(), level: 'info', event, data };
    appendFileSync(eventFile, `${JSON.stringify(line)}\n`);
  };
  const start = (program: string): ReturnType<typeof startWith> => startWith(program, eventFile);
  return { watch, states: lifecycle.states, escalated, stopped, say, start };
}

async function startWith(program: string, eventFile: string): Promise<{ pid: number; child: ChildProcess }> {
  const child = spawn(process.execPath, ['-e', `${program}; console.log('up')`], {
    env: { ...process.env, JEEVES_EVENT_FILE: eventFile },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return { pid: child.pid ?? 0, child };
}

const IDLE = 'setInterval(() => {}, 1000)';
const DEGRADED: RunState = 'run:mcp_pruner_degraded';

describe('a watched server', () => {
  verifies('runner.degraded', 'that disappears is missed although its client says nothing', async () => {
    const { watch, states, say, start } = watched();
    const { pid, child } = await start(IDLE);
    say('mcp_pruner.ready', { pid });
    watch.look();
    child.kill('SIGKILL');
    await expect.poll(() => states.at(-1), { timeout: 10_000 }).toBe(DEGRADED);
    watch.phaseOver();
    await watch.clear();
  });

  verifies('runner.degraded', 'that is ready twice was started again by its client', async () => {
    for (const again of ['said by itself', 'said by its client'] as const) {
      const { watch, states, say } = watched();
      say('mcp_pruner.ready', {});
      watch.look();
      expect(states.at(-1)).toBe('run:mcp_pruner_running');
      if (again === 'said by itself') say('mcp_pruner.ready', {});
      else watch.report({ server: 'pruner', status: 'ready' });
      watch.look();
      expect(states.at(-1)).toBe(DEGRADED);
      watch.phaseOver();
      await watch.clear();
    }
  });

  test('that goes when the phase is over has done nothing wrong', async () => {
    const { watch, states, say, start } = watched();
    const { pid, child } = await start(IDLE);
    say('mcp_pruner.ready', { pid });
    watch.look();
    watch.phaseOver();
    child.kill('SIGTERM');
    await watch.clear();
    watch.report({ server: 'pruner', status: 'died', reason: 'exited', message: 'gone' });
    expect(states.at(-1)).toBe('run:mcp_pruner_running');
  });

  verifies('runner.shutdown', 'that its client killed at the end has stopped, though it could not say so', async () => {
    for (const spoke of [true, false]) {
      const { watch, stopped, say } = watched();
      say('mcp_pruner.ready', {});
      watch.look();
      watch.phaseOver();
      if (spoke) say('mcp_pruner.stopped', { graceful: true, duration_ms: 1 });
      await watch.clear();
      expect(stopped).toHaveLength(spoke ? 0 : 1);
      for (const duration of stopped) expect(duration).toBeGreaterThanOrEqual(0);
    }
  });

  test('that is none of this run’s is left alone, whoever names it', async () => {
    const { watch, say } = watched();
    const stranger = await startWith(IDLE, '/another/run');
    say('mcp_pruner.ready', { pid: stranger.pid });
    watch.phaseOver();
    await watch.clear();
    expect(stranger.child.exitCode ?? stranger.child.signalCode).toBeNull();
  });

  verifies('runner.shutdown-after-degraded', 'that stays behind is ended, by force if need be', async () => {
    const { watch, escalated, say, start } = watched();
    const gentle = await start(IDLE);
    const stubborn = await start(`process.on('SIGTERM', () => {}); ${IDLE}`);
    say('mcp_pruner.ready', { pid: gentle.pid });
    say('mcp_pruner.ready', { pid: stubborn.pid });
    watch.phaseOver();
    const ends = [gentle, stubborn].map(({ child }) => once(child, 'exit'));
    await watch.clear();
    expect((await Promise.all(ends)).map(([, signal]) => signal as string)).toEqual(['SIGTERM', 'SIGKILL']);
    expect(escalated).toEqual([stubborn.pid]);
  });
});
