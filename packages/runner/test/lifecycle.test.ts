import type { JeevesEvent, RunState } from '@jeeves/protocol';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { createLifecycle, type LifecycleEvent } from '../src/lifecycle.ts';

const DISABLED = { type: 'config_disabled' } as const;
const INVALID = { type: 'config_invalid', variable: 'JEEVES_PRUNER_URL', message: 'no address' } as const;
const RESOLVED = { type: 'config_resolved' } as const;
const READY = { type: 'server_ready', root: '/work', pid: 7 } as const;
const FAILED = { type: 'start_failed', message: 'ENOENT' } as const;
const CLIENT_FAILED = { type: 'client_failed' } as const;
const LOST = { type: 'server_lost', reason: 'exited', message: 'gone', exitCode: 3 } as const;
const DEAF = { type: 'server_lost', reason: 'unreachable', message: 'no answer' } as const;
const ENDED = { type: 'phase_ended' } as const;
const EVERYTHING: readonly LifecycleEvent[] = [
  DISABLED,
  INVALID,
  RESOLVED,
  READY,
  FAILED,
  CLIENT_FAILED,
  LOST,
  DEAF,
  ENDED,
];

function follow(events: readonly LifecycleEvent[]): { states: readonly RunState[]; reports: readonly JeevesEvent[] } {
  const reports: JeevesEvent[] = [];
  const lifecycle = createLifecycle((event) => reports.push(event));
  for (const event of events) lifecycle.send(event);
  return { states: lifecycle.states, reports };
}

describe('a run', () => {
  const PATHS: readonly (readonly [string, readonly LifecycleEvent[], readonly string[], readonly string[]])[] = [
    ['switched off', [DISABLED, ENDED], ['disabled', 'shutdown'], ['disabled', 'not_running']],
    ['wrongly configured', [INVALID, ENDED], ['disabled', 'shutdown'], ['config_invalid', 'disabled', 'not_running']],
    ['well', [RESOLVED, READY, ENDED], ['starting', 'running', 'shutdown'], ['ready']],
    [
      'without a start',
      [RESOLVED, FAILED, ENDED],
      ['starting', 'disabled', 'shutdown'],
      ['spawn_error', 'start_failed', 'disabled', 'not_running'],
    ],
    [
      'with a death',
      [RESOLVED, READY, LOST, ENDED],
      ['starting', 'running', 'degraded', 'shutdown'],
      ['ready', 'exited', 'degraded', 'shutdown_after_degraded'],
    ],
    [
      'with a silence',
      [RESOLVED, READY, DEAF, ENDED],
      ['starting', 'running', 'degraded', 'shutdown'],
      ['ready', 'unreachable', 'degraded', 'shutdown_after_degraded'],
    ],
    [
      'whose client fails by itself',
      [RESOLVED, CLIENT_FAILED, ENDED],
      ['starting', 'disabled', 'shutdown'],
      ['not_running'],
    ],
    [
      'whose client fails later',
      [RESOLVED, READY, CLIENT_FAILED, ENDED],
      ['starting', 'running', 'shutdown'],
      ['ready'],
    ],
    [
      'that ends before its server answers',
      [RESOLVED, ENDED],
      ['starting', 'disabled', 'shutdown'],
      ['spawn_error', 'start_failed', 'disabled', 'not_running'],
    ],
  ];

  for (const [name, events, states, reports] of PATHS) {
    verifies(['runner.states', 'runner.not-running'], `${name} goes through its states and reports them`, () => {
      const followed = follow(events);
      const short = followed.states.map((state) => state.replace('run:', '').replace('mcp_pruner_', ''));
      expect(short).toEqual(['init', ...states]);
      expect(followed.reports.map(({ event }) => event)).toEqual(reports.map((event) => `mcp_pruner.${event}`));
    });
  }

  verifies('runner.states', 'never goes back: from every state, no news leads to one it has left', () => {
    const ORDER: readonly RunState[] = [
      'run:init',
      'run:mcp_pruner_starting',
      'run:mcp_pruner_running',
      'run:mcp_pruner_degraded',
      'run:mcp_pruner_disabled',
      'run:shutdown',
    ];
    // Every sequence of four events.
    for (let code = 0; code < EVERYTHING.length ** 4; code += 1) {
      const events = [0, 1, 2, 3].map(
        (digit) => EVERYTHING[Math.floor(code / EVERYTHING.length ** digit) % EVERYTHING.length],
      );
      const { states } = follow(events.filter((event) => event !== undefined));
      const places = states.map((state) => ORDER.indexOf(state));
      expect(places).toEqual([...new Set(places)].sort((one, other) => one - other));
    }
  });

  test('says how its server died', () => {
    const { reports } = follow([RESOLVED, READY, { ...LOST, exitCode: undefined, signal: 'SIGKILL' }]);
    expect(reports.at(-1)).toEqual({ event: 'mcp_pruner.degraded', data: { reason: 'exited', signal: 'SIGKILL' } });
    const coded = follow([RESOLVED, READY, LOST]).reports.at(-1);
    expect(coded).toEqual({ event: 'mcp_pruner.degraded', data: { reason: 'exited', exit_code: 3 } });
  });

  test('tells whether news changed anything', () => {
    const lifecycle = createLifecycle(() => undefined);
    expect([RESOLVED, READY, READY, LOST, LOST, READY].map((event) => lifecycle.send(event))).toEqual([
      true,
      true,
      false,
      true,
      false,
      false,
    ]);
  });
});
