import {
  ENV_VARIABLES,
  type EnvName,
  EVENTS,
  type EventName,
  LOG_LINE,
  parseBoolean,
  parseInteger,
  parsePrunerUrl,
  REPLACED_ENV_NAMES,
  toLogLine,
} from '@jeeves/protocol';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';

/** Default, smallest and largest value; the last two for integers only. */
type Row = readonly [value: string | number | boolean | null, min?: number, max?: number];

function expectRows(rows: Readonly<Partial<Record<EnvName, Row>>>): void {
  for (const [name, [value, min, max]] of Object.entries(rows) as [EnvName, Row][]) {
    const variable = ENV_VARIABLES[name];
    expect([variable.default, variable.min, variable.max], name).toEqual([value, min, max]);
  }
}

function has(name: string): boolean {
  return Object.hasOwn(EVENTS, name);
}

describe('the environment', () => {
  verifies('protocol.env.booleans', 'four words are true', () => {
    expect(['1', 'true', 'yes', 'on', 'TRUE', 'Yes'].map(parseBoolean)).toEqual(Array.from({ length: 6 }, () => true));
    expect(['', '0', 'false', 'no', 'off', 'y', '2', 'enabled'].some(parseBoolean)).toBe(false);
  });

  verifies('protocol.env.integers', 'a number is decimal, whole and within its range', () => {
    const bounds = { min: 100, max: 300_000 };
    expect(['100', ' 300000 ', '0100'].map((value) => parseInteger(value, bounds).ok)).toEqual([true, true, true]);
    for (const value of ['99', '300001', '1e3', '0x100', '100.5', '', 'abc', '-100', '100ms', '∞']) {
      expect(parseInteger(value, bounds).ok, value).toBe(false);
    }
  });

  verifies('protocol.env.pruner-url', 'a pruner is an http address, embedded or nobody', () => {
    expect(parsePrunerUrl('http://localhost:8000/prune')).toEqual({
      ok: true,
      value: { kind: 'http', url: 'http://localhost:8000/prune' },
    });
    expect(parsePrunerUrl('https://pruner.example/x?y=1').ok).toBe(true);
    expect(parsePrunerUrl('embedded:')).toEqual({ ok: true, value: { kind: 'embedded' } });
    expect(parsePrunerUrl('')).toEqual({ ok: true, value: { kind: 'off' } });
    for (const value of ['localhost:8000', '/prune', 'ftp://x/', 'file:///x', 'embedded', 'http://', 'javascript:1']) {
      expect(parsePrunerUrl(value).ok, value).toBe(false);
    }
  });

  verifies(['protocol.env.server', 'protocol.env.pruner-timeout'], 'the server’s variables are seed 001’s', () => {
    expectRows({
      PRUNER_URL: ['embedded:'],
      PRUNER_TIMEOUT_MS: [30_000, 100, 300_000],
      MCP_PRUNER_CWD: [null],
    });
  });

  verifies('protocol.env.runner', 'the runner’s variables are seed 001’s', () => {
    expectRows({
      JEEVES_PRUNER_ENABLED: [false],
      JEEVES_PRUNER_URL: ['http://localhost:8000/prune'],
      JEEVES_MCP_PRUNER_PATH: [null],
    });
  });

  verifies('protocol.env.text', 'the text server’s variables are seed 002’s', () => {
    expectRows({
      MCP_PRUNER_HOST: ['127.0.0.1'],
      MCP_PRUNER_PORT: [8006, 0, 65_535],
      DEEPINFRA_API_KEY: [null],
      DEEPINFRA_ENDPOINT_URL: ['https://api.deepinfra.com/v1/inference/Qwen/Qwen3-Reranker-0.6B'],
      DEEPINFRA_TIMEOUT_MS: [20_000, 1, 120_000],
      DEEPINFRA_MAX_DOCS: [64, 1, 512],
    });
    expect(ENV_VARIABLES.MCP_PRUNER_MAX_INPUT_CHARS.default).toBe(2_000_000);
    expect(ENV_VARIABLES.MCP_PRUNER_CACHE_TTL_S.default).toBe(30);
    expect(ENV_VARIABLES.MCP_PRUNER_CACHE_MAX_ITEMS.default).toBe(256);
    expect(ENV_VARIABLES.MCP_PRUNER_CACHE_MAX_ENTRIES.default).toBe(256);
    expect(ENV_VARIABLES.KIMI_PRUNING_BACKEND).toMatchObject({
      default: 'heuristic',
      values: ['heuristic', 'deepinfra', 'cloud'],
    });
    expect(ENV_VARIABLES.MCP_PRUNER_PRUNE_ID_TTL_S.meaning).toContain('600');
  });

  verifies('protocol.env.replaced', 'the first draft’s names lead to the final ones', () => {
    expect(REPLACED_ENV_NAMES).toMatchObject({
      JEEVES_MCP_PRUNER_ENABLED: 'JEEVES_PRUNER_ENABLED',
      JEEVES_MCP_PRUNER_HOST: 'MCP_PRUNER_HOST',
      JEEVES_MCP_PRUNER_PORT: 'MCP_PRUNER_PORT',
      JEEVES_MCP_PRUNER_ROOT_DIR: 'MCP_PRUNER_CWD',
      JEEVES_PRUNER_ENDPOINT: 'JEEVES_PRUNER_URL',
      JEEVES_PRUNER_TIMEOUT_MS: 'PRUNER_TIMEOUT_MS',
    });
  });
});

describe('events', () => {
  verifies('protocol.events.names', 'the events of seed 001 exist', () => {
    const server = ['disabled', 'ready', 'start_failed', 'degraded', 'stopped'].map((name) => `mcp_pruner.${name}`);
    const tool = ['request_invalid', 'exec_failed', 'exec_timeout'].map((name) => `tool.${name}`);
    const pruner = ['call_start', 'call_ok', 'call_failed'].map((name) => `pruner.${name}`);
    expect([...server, ...tool, ...pruner].filter((name) => !has(name))).toEqual([]);
  });

  verifies('protocol.events.states', 'so do those named in transitions, and one failure event of a pruner call', () => {
    const names = [
      'mcp_pruner.config_invalid',
      'mcp_pruner.spawn_error',
      'mcp_pruner.not_running',
      'mcp_pruner.shutdown_after_degraded',
      'tool.request_received',
      'tool.request_parse_failed',
      'tool.exec_start',
      'tool.exec_ok',
      'tool.respond_ok',
      'tool.respond_failed',
      'tool.internal_error',
    ];
    expect(names.filter((name) => !has(name))).toEqual([]);
    expect(['pruner.timeout', 'pruner.http_error', 'pruner.invalid_response'].filter(has)).toEqual([]);
  });

  verifies('protocol.events.line', 'an event becomes one line of JSON', () => {
    const now = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
    const event = { event: 'tool.exec_timeout', request_id: 'r1', data: { tool: 'bash', timeout_ms: 100 } } as const;
    const line = toLogLine(event, now);
    expect(line).toEqual({
      ts: '2026-01-02T03:04:05.000Z',
      level: 'warn',
      event: 'tool.exec_timeout',
      request_id: 'r1',
      data: event.data,
    });
    expect(LOG_LINE.parse(JSON.parse(JSON.stringify(line)))).toEqual(line);
    const hostile = toLogLine({ event: 'mcp_pruner.start_failed', data: { message: 'a\nb\u001b[2J' } }, now);
    expect(['\n', '\u001b'].filter((control) => JSON.stringify(hostile).includes(control))).toEqual([]);
    for (const name of Object.keys(EVENTS) as EventName[])
      expect(['debug', 'info', 'warn', 'error']).toContain(EVENTS[name].level);
  });
});
