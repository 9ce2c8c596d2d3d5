import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServerConfig } from '@jeeves/protocol';
import { describe, expect } from 'vitest';
import { FAULTY_SERVER, type Ran, type WorldRun, world } from '../../../../packages/runner/test/world.ts';
import { verifies } from '../../verifies.ts';

const { path, file, run } = world();

const READ = { call: 'read', with: { file_path: 'a.txt' } };
interface Fault {
  readonly name: string;
  readonly server: McpServerConfig;
  readonly steps?: readonly object[];
  readonly limits?: Pick<WorldRun, 'startTimeoutMs' | 'callTimeoutMs'>;
}

/** What a read gives when the agent uses its own tool. */
const OWN = 'the agent’s own tools still read\n';

file('a.txt', OWN);

function faulty(fault: string): McpServerConfig {
  return { command: 'node', args: [FAULTY_SERVER, fault] };
}

const notExecutable = file('server.sh', '#!/bin/sh\nexit 0\n');
chmodSync(notExecutable, 0o644);

const NOT_STARTED: readonly Fault[] = [
  { name: 'is missing', server: { command: join(path, 'missing') } },
  { name: 'is not executable', server: { command: notExecutable } },
  { name: 'exits at once', server: faulty('exits') },
  { name: 'hangs in the handshake', server: faulty('hangs'), limits: { startTimeoutMs: 500 } },
  { name: 'speaks an unknown revision', server: faulty('wrong-version') },
];

const LOST: readonly (Fault & { readonly data: Readonly<Record<string, unknown>> })[] = [
  {
    name: 'dies in the middle of a call',
    server: faulty('dies-mid-call'),
    data: { reason: 'exited', exit_code: 7 },
  },
  {
    name: 'is killed between two calls',
    server: faulty('none'),
    steps: [READ, { kill: 'SIGKILL' }, READ],
    data: { reason: 'exited', signal: 'SIGKILL' },
  },
  {
    name: 'answers with broken JSON',
    server: faulty('bad-json'),
    limits: { callTimeoutMs: 1000 },
    data: { reason: 'unreachable' },
  },
  { name: 'answers with a line that never ends', server: faulty('huge-line'), data: { reason: 'unreachable' } },
];

const TOLERATED: readonly Fault[] = [
  { name: 'writes garbage to its output', server: faulty('garbage') },
  { name: 'is slow', server: faulty('slow') },
  { name: 'floods its standard error', server: faulty('stderr-flood') },
];

/** The run finishes whatever happens, and nothing is left of the server. */
async function survive({ server, limits = {}, steps = [READ, READ] }: Fault): Promise<Ran> {
  const ran = await run(steps, { server, ...limits });
  expect(ran.outcome).toMatchObject({ status: 'succeeded', result: '<promise>COMPLETE</promise>' });
  expect(ran.left()).toEqual([]);
  return ran;
}

describe('a server that', () => {
  for (const fault of NOT_STARTED) {
    verifies(
      ['runner.faults', 'runner.start-failed', 'runner.spawn-error'],
      `${fault.name} costs the run its pruner`,
      async () => {
        const ran = await survive(fault);
        expect(namesOf(ran)).toEqual([
          'mcp_pruner.spawn_error',
          'mcp_pruner.start_failed',
          'mcp_pruner.disabled',
          'mcp_pruner.not_running',
        ]);
        expect(ran.events[2]?.data).toEqual({ reason: 'start_failed' });
        expect(outputs(ran)).toEqual([OWN, OWN]);
      },
    );
  }

  for (const fault of LOST) {
    verifies(
      ['runner.faults', 'runner.degraded', 'runner.shutdown-after-degraded'],
      `${fault.name} costs the run its pruner from then on`,
      async () => {
        const ran = await survive(fault);
        const how = fault.data['reason'] === 'exited' ? 'mcp_pruner.exited' : 'mcp_pruner.unreachable';
        expect(namesOf(ran)).toEqual([
          'mcp_pruner.ready',
          how,
          'mcp_pruner.degraded',
          'mcp_pruner.shutdown_after_degraded',
        ]);
        expect(ran.events[2]?.data).toEqual(fault.data);
        expect(outputs(ran).at(-1)).toBe(OWN);
      },
    );
  }

  for (const fault of TOLERATED) {
    verifies(['runner.faults', 'runner.shutdown'], `${fault.name} is put up with`, async () => {
      const ran = await survive(fault);
      // It cannot say itself that it stopped.
      expect(namesOf(ran)).toEqual(['mcp_pruner.ready', 'mcp_pruner.stopped']);
      expect(outputs(ran)).toEqual(['answered', 'answered']);
    });
  }

  verifies('runner.faults', 'misbehaves does so in twelve ways here', () => {
    expect([NOT_STARTED, LOST, TOLERATED].flat()).toHaveLength(12);
  });
});

function namesOf({ events }: Ran): readonly string[] {
  return events.map(({ event }) => event);
}

function outputs({ sdk }: Ran): readonly (string | null)[] {
  return sdk.tool_calls.map(({ response_text }) => response_text);
}
