import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { cleanUp, lineOf, type ServerProcess, startServer, temporaryDirectory } from './harness.ts';

const INVALID = { code: -32602, message: 'Invalid params' };
let server: ServerProcess;

beforeAll(async () => {
  const root = temporaryDirectory();
  writeFileSync(join(root, 'hello.txt'), 'hello\nworld\n');
  server = await startServer({ root });
});
afterAll(cleanUp);

/** What the server answers to one raw line; a ping afterwards proves that the connection lives and nothing else came. */
async function answerTo(text: string): Promise<unknown[]> {
  const seen = server.messages.length;
  await server.write(`${text}\n`);
  expect((await server.ask('ping')).result).toEqual({});
  return server.messages.slice(seen, -1);
}

/** How many events there are, once every call so far has had its last one: that follows the reply. */
async function eventsSoFar(): Promise<number> {
  const idsOf = (pattern: RegExp): (string | undefined)[] =>
    server.events.filter(({ event }) => pattern.test(event)).map(({ request_id }) => request_id);
  await server.until(() => {
    const done = new Set(idsOf(/^tool\.(?:respond_|request_invalid|internal_error)/));
    return idsOf(/^tool\.request_received$/).every((id) => done.has(id));
  });
  return server.events.length;
}

function eventsAfter(seen: number): string[] {
  return server.events.slice(seen).map(({ event }) => event);
}

describe('the handshake', () => {
  verifies('stdio.initialize', 'reports name, version, tools and schema version', async () => {
    const { result } = await server.ask('initialize', { protocolVersion: '2025-06-18' });
    expect(result).toMatchObject({
      protocolVersion: '2025-06-18',
      serverInfo: { name: '@jeeves/mcp-pruner', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
      capabilities: { tools: { listChanged: false } },
      jeeves: { schemaVersion: 1 },
    });
    const sentences = String(result?.['instructions']).split(/(?<=[.!?])\s/);
    expect(sentences.length).toBeLessThanOrEqual(3);
  });

  verifies('stdio.initialize', 'needs a protocol version and nothing else', async () => {
    for (const params of [{ protocolVersion: '2024-11-05' }, { protocolVersion: '2025-11-25', capabilities: {} }]) {
      expect((await server.ask('initialize', params)).result).toMatchObject(params.capabilities ? {} : params);
    }
    expect((await server.ask('initialize', {})).error).toEqual({
      ...INVALID,
      data: {
        jeeves: { schemaVersion: 1 },
        method: 'initialize',
        issues: [{ path: 'protocolVersion', code: 'invalid_type', message: 'invalid_type' }],
      },
    });
  });
});

describe('the tools', () => {
  verifies(
    ['stdio.tools-list', 'stdio.program'],
    'are listed with what a client needs, and no output schema',
    async () => {
      const { result } = await server.ask('tools/list', {});
      const tools = result?.['tools'] as Record<string, unknown>[];
      expect(tools.map(({ name }) => name)).toEqual(['read', 'bash', 'grep', 'recover_text']);
      for (const tool of tools) {
        expect(Object.keys(tool)).toEqual(['name', 'title', 'description', 'inputSchema', 'annotations', '_meta']);
        expect(tool).toMatchObject({
          inputSchema: { type: 'object' },
          annotations: { readOnlyHint: tool['name'] !== 'bash', destructiveHint: tool['name'] === 'bash' },
          _meta: { 'anthropic/alwaysLoad': true, 'anthropic/maxResultSizeChars': 500_000 },
        });
      }
    },
  );

  verifies('stdio.tools-call', 'answer with text, object and error flag', async () => {
    const read = await server.call('read', { file_path: 'hello.txt' });
    expect(read).toMatchObject({
      content: [{ type: 'text', text: 'hello\nworld\n' }],
      structuredContent: { tool: 'read', content: 'hello\nworld\n', truncated: false },
    });
    expect(read.isError ?? false).toBe(false);
    expect(await server.call('read', { file_path: 'nope.txt' })).toMatchObject({
      isError: true,
      structuredContent: { tool: 'read', error: { code: 'not_found' }, pruning: { attempted: false } },
    });
  });

  verifies(
    ['request.id', 'request.pipeline', 'request.events.received', 'request.events.respond', 'stdio.opt-in'],
    'report each step of a call under one id',
    async () => {
      const seen = await eventsSoFar();
      const result = await server.call('read', { file_path: 'hello.txt' });
      expect(result.structuredContent).toMatchObject({ pruning: { attempted: false, reason: 'no_focus_question' } });
      await server.until(() => eventsAfter(seen).includes('tool.respond_ok'));
      expect(eventsAfter(seen)).toEqual([
        'tool.request_received',
        'tool.exec_start',
        'tool.exec_ok',
        'tool.respond_ok',
      ]);
      const ids = new Set(server.events.slice(seen).map(({ request_id }) => request_id));
      expect([...ids]).toEqual([expect.stringMatching(/^req_[0-9a-f]{24}$/)]);
      expect(server.events.at(-1)?.data).toEqual({ tool: 'read', mode: 'raw' });
    },
  );

  verifies(['request.events.pruner', 'request.events.respond'], 'report a pruned answer', async () => {
    const lines = Array.from({ length: 400 }, (_, at) => `line ${at} of a long and boring file\n`);
    writeFileSync(join(server.root, 'long.txt'), `${lines.join('')}the port is 8006\n`);
    const seen = await eventsSoFar();
    const args = { file_path: 'long.txt', context_focus_question: 'Which port is used?' };
    expect((await server.call('read', args)).structuredContent).toMatchObject({ pruning: { applied: true } });
    await server.until(() => eventsAfter(seen).includes('tool.respond_ok'));
    expect(eventsAfter(seen).slice(3, 5)).toEqual(['pruner.call_start', 'pruner.call_ok']);
    expect(server.events.at(-1)?.data).toEqual({ tool: 'read', mode: 'pruned' });
  });

  verifies('request.events.failed', 'report failures and timeouts', async () => {
    const seen = await eventsSoFar();
    await server.call('bash', { command: 'exit 3' });
    await server.call('bash', { command: 'sleep 30', timeout_ms: 100 });
    await server.until(() => eventsAfter(seen).filter((event) => event === 'tool.respond_ok').length === 2);
    const failed = server.events.slice(seen).filter(({ event }) => /^tool\.exec_(?:failed|timeout)$/.test(event));
    expect(failed[0]).toMatchObject({ event: 'tool.exec_failed', data: { code: 'nonzero_exit', exit_code: 3 } });
    expect(failed.find(({ event }) => event === 'tool.exec_timeout')?.data).toEqual({ tool: 'bash', timeout_ms: 100 });
  });
});

describe('what is refused', () => {
  verifies(['stdio.invalid-params', 'request.invalid-runs-nothing', 'request.events.invalid'], 'is named', async () => {
    const marker = join(server.root, 'marker');
    const seen = await eventsSoFar();
    const args = { command: `touch ${marker}`, timeout_ms: 1, extra: true };
    expect((await server.ask('tools/call', { name: 'bash', arguments: args })).error).toEqual({
      ...INVALID,
      data: {
        jeeves: { schemaVersion: 1 },
        method: 'tools/call',
        tool: 'bash',
        issues: [
          { path: 'arguments', code: 'unrecognized_keys', message: 'unrecognized_keys' },
          { path: 'arguments.timeout_ms', code: 'too_small', message: 'too_small' },
        ],
      },
    });
    await server.until(() => eventsAfter(seen).length === 2);
    expect(eventsAfter(seen)).toEqual(['tool.request_received', 'tool.request_invalid']);
    expect(server.events.at(-1)?.data).toEqual({
      tool: 'bash',
      message: 'arguments: unrecognized_keys, arguments.timeout_ms: too_small',
    });
    expect((await server.call('bash', { command: `ls ${marker} || true` })).structuredContent?.['stdout']).toBe('');
  });

  verifies('stdio.invalid-params', 'of a tool that is not offered, by its name', async () => {
    expect((await server.ask('tools/call', { name: 'health', arguments: {} })).error).toMatchObject({
      ...INVALID,
      data: { tool: 'health', issues: [{ path: 'name', code: 'invalid_value' }] },
    });
  });

  verifies('stdio.unknown-method', 'is -32601 for a method nobody knows', async () => {
    expect((await server.ask('tools/explain')).error).toEqual({ code: -32601, message: 'Method not found' });
  });

  verifies('stdio.parse-error', 'is -32700 without an id for what is not JSON', async () => {
    for (const text of ['hello', '{"jsonrpc":"2.0",', '\u0000\u0001']) {
      expect(await answerTo(text)).toEqual([
        { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
      ]);
    }
    expect(server.events.filter(({ event }) => event === 'tool.request_parse_failed').length).toBeGreaterThan(2);
  });

  verifies('stdio.invalid-request', 'is -32600 for a batch, a wrong version or an unusable id', async () => {
    const cases: [string, unknown][] = [
      ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null],
      ['[]', null],
      ['7', null],
      ['{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a'],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
      ['{"jsonrpc":"2.0","id":true,"method":"ping"}', null],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
      ['{"jsonrpc":"2.0","id":0.5,"method":"ping"}', null],
    ];
    for (const [text, id] of cases) {
      const error = { code: -32600, message: 'Invalid Request' };
      expect(await answerTo(text), text).toEqual([{ jsonrpc: '2.0', id, error }]);
    }
  });

  verifies('stdio.notifications', 'is no notification: it gets no answer, whatever it is', async () => {
    for (const method of ['notifications/initialized', 'notifications/unknown', 'tools/list', 'tools/call']) {
      expect(await answerTo(JSON.stringify({ jsonrpc: '2.0', method }))).toEqual([]);
    }
  });

  verifies('security.t15.hostile-json', 'is what is nested too deep or wants to be a prototype', async () => {
    // What holds too many values is not even read for its id.
    for (const [depth, id] of [
      [65, 'h'],
      [5000, 'h'],
      [100_000, null],
    ] as const) {
      expect(await answerTo(readCall(nested(depth)))).toMatchObject([{ id, error: { code: -32600 } }]);
    }
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      expect(await answerTo(readCall(`{"file_path":"hello.txt","${key}":{"x":1}}`)), key).toMatchObject([
        { id: 'h', error: { code: -32602, data: { issues: [{ code: 'unrecognized_keys' }] } } },
      ]);
    }
  });
});

describe('lists of what this server has not', () => {
  verifies('stdio.tools-list', 'are empty', async () => {
    expect((await server.ask('resources/list')).result).toEqual({ resources: [] });
    expect((await server.ask('resources/templates/list', {})).result).toEqual({ resourceTemplates: [] });
    expect((await server.ask('prompts/list', {})).result).toEqual({ prompts: [] });
  });
});

describe('a defect', () => {
  verifies('stdio.internal-error', 'is answered and logged, and the process survives', async () => {
    const fragile = await startServer({ nodeArgs: ['--import', new URL('host/sabotage.mjs', import.meta.url).href] });
    writeFileSync(join(fragile.root, 'break'), '');
    const call = { name: 'bash', arguments: { command: 'true' } };
    expect((await fragile.ask('tools/call', call)).error).toEqual({ code: -32603, message: 'Internal error' });
    await fragile.until(() => fragile.events.some(({ event }) => event === 'tool.internal_error'));
    expect(fragile.events.find(({ event }) => event === 'tool.internal_error')).toMatchObject({
      level: 'error',
      request_id: expect.stringMatching(/^req_/),
      data: { tool: 'bash', message: 'sabotage', stack: expect.stringContaining('    at ') },
    });
    rmSync(join(fragile.root, 'break'));
    writeFileSync(join(fragile.root, 'x'), 'back\n');
    expect((await fragile.call('read', { file_path: 'x' })).content?.[0]?.text).toBe('back\n');
    await fragile.close();
  });
});

verifies('request.terminal', 'a request has one answer; the same again is a new request', async () => {
  const request = lineOf({
    jsonrpc: '2.0',
    id: 'same',
    method: 'tools/call',
    params: { name: 'read', arguments: { file_path: 'hello.txt' } },
  });
  const seen = server.messages.length;
  const events = await eventsSoFar();
  await server.write(request);
  await server.until(() => server.messages.length === seen + 1);
  await server.write(request);
  await server.until(() => server.messages.length === seen + 2);
  await server.until(() => eventsAfter(events).filter((event) => event === 'tool.respond_ok').length === 2);
  const ids = server.events.slice(events).map(({ request_id }) => request_id);
  expect(new Set(ids).size).toBe(2);
});

verifies(
  'stdio.stdout-is-protocol',
  'every line so far was protocol on one stream and an event on the other',
  async () => {
    // The harness refuses any other line; a tool's own output must reach neither stream.
    await server.call('bash', { command: 'echo to-stdout; echo to-stderr >&2; echo x > /dev/fd/1' });
    await server.ask('ping');
    expect(server.messages.length).toBeGreaterThan(50);
    expect(server.events.length).toBeGreaterThan(50);
  },
);

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

function readCall(args: string): string {
  return `{"jsonrpc":"2.0","id":"h","method":"tools/call","params":{"name":"read","arguments":${args}}}`;
}
