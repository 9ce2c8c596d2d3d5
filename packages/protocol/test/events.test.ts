import { EVENTS, type JeevesEvent, LOG_LINE, toLogLine } from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';

const now = new Date('2026-02-26T12:00:00.000Z');

describe('events', () => {
  it('have these names and levels', () => {
    expect(Object.entries(EVENTS).map(([name, entry]) => `${entry.level} ${name}`)).toEqual([
      'info mcp_pruner.disabled',
      'warn mcp_pruner.config_invalid',
      'info mcp_pruner.ready',
      'error mcp_pruner.start_failed',
      'warn mcp_pruner.spawn_error',
      'warn mcp_pruner.start_timeout',
      'warn mcp_pruner.exited',
      'warn mcp_pruner.unreachable',
      'warn mcp_pruner.degraded',
      'info mcp_pruner.stopped',
      'warn mcp_pruner.kill_escalated',
      'debug mcp_pruner.not_running',
      'info mcp_pruner.shutdown_after_degraded',
      'warn gateway.config_invalid',
      'info gateway.ready',
      'info gateway.reloaded',
      'error gateway.start_failed',
      'info gateway.stopped',
      'info gateway.upstream_started',
      'debug gateway.upstream_listed',
      'warn gateway.upstream_failed',
      'warn gateway.upstream_stderr',
      'info gateway.upstream_stopped',
      'warn gateway.tool_changed',
      'warn gateway.tool_cleaned',
      'info http.request',
      'debug tool.request_received',
      'warn tool.request_parse_failed',
      'warn tool.request_invalid',
      'debug tool.exec_start',
      'info tool.exec_ok',
      'warn tool.exec_failed',
      'warn tool.exec_timeout',
      'debug pruner.call_start',
      'info pruner.call_ok',
      'warn pruner.call_failed',
      'info tool.respond_ok',
      'error tool.respond_failed',
      'error tool.internal_error',
    ]);
  });
});

describe('toLogLine', () => {
  const lines: [JeevesEvent, string][] = [
    [
      { event: 'mcp_pruner.ready', data: { root: '/work', host: '127.0.0.1', port: 8006 } },
      '{"ts":"2026-02-26T12:00:00.000Z","level":"info","event":"mcp_pruner.ready","data":{"root":"/work","host":"127.0.0.1","port":8006}}',
    ],
    [
      { event: 'tool.exec_timeout', request_id: 'r1', data: { tool: 'bash', timeout_ms: 100 } },
      '{"ts":"2026-02-26T12:00:00.000Z","level":"warn","event":"tool.exec_timeout","request_id":"r1","data":{"tool":"bash","timeout_ms":100}}',
    ],
    [
      { event: 'mcp_pruner.not_running', data: {} },
      '{"ts":"2026-02-26T12:00:00.000Z","level":"debug","event":"mcp_pruner.not_running"}',
    ],
  ];
  it.each(lines)('writes one line of %j', (event, line) => {
    expect(JSON.stringify(toLogLine(event, now))).toBe(line);
  });

  it('writes lines that LOG_LINE reads', () => {
    for (const [event] of lines) expect(LOG_LINE.parse(toLogLine(event, now))).toEqual(toLogLine(event, now));
  });
});

describe('LOG_LINE', () => {
  it('reads events and fields of later versions', () => {
    const line = { ts: 't', level: 'info', event: 'tool.dreamt', host: 'x' };
    expect(LOG_LINE.parse(line)).toEqual({ ts: 't', level: 'info', event: 'tool.dreamt' });
  });

  it.each([null, 'text', {}, { ts: 't', level: 'loud', event: 'e' }, { ts: 1, level: 'info', event: 'e' }])(
    'refuses %j',
    (line) => {
      expect(LOG_LINE.safeParse(line).success).toBe(false);
    },
  );
});
