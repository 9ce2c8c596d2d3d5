import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDispatcher, type Dispatcher } from '../../src/host/dispatch.ts';
import { greet } from '../../src/host/greeting.ts';
import type { HostOptions } from '../../src/host/options.ts';
import { connectStdio, type OpenDispatcher } from '../../src/host/stdio.ts';
import { TOOLS } from './fixtures.ts';

const SERVER = { name: 'fixture', version: '1.2.3', instructions: 'Use it well.' };
const HOST: HostOptions = {
  server: SERVER,
  tools: TOOLS,
  output: 'auto',
  emit: () => undefined,
  now: Date.now,
  newRequestId: () => 'req_1',
};

function greeted(text: string): string | undefined {
  return greet({ kind: 'text', text }, SERVER)?.line;
}

function dispatched(text: string): string[] {
  const lines: string[] = [];
  createDispatcher(HOST, ({ line }) => lines.push(String(line))).receive({ kind: 'text', text });
  return lines;
}

function initialize(params: unknown, id: unknown = 0): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params });
}

describe('a greeting', () => {
  test.each([
    [
      'Claude Code',
      {
        protocolVersion: '2025-11-25',
        capabilities: { roots: {} },
        clientInfo: { name: 'claude-code', version: '2.1.325' },
      },
    ],
    [
      'Codex',
      {
        protocolVersion: '2025-06-18',
        capabilities: { elicitation: { form: {} } },
        clientInfo: { name: 'codex-mcp-client', version: '0.163.0', title: 'Codex' },
      },
    ],
    ['a client of few words', { protocolVersion: '2024-11-05' }],
  ])('answers %s as the dispatcher does', (_, params) => {
    const text = initialize(params);
    expect(dispatched(text)).toEqual([greeted(text)]);
  });

  test('is never anything but what the dispatcher would say', () => {
    const word = fc.oneof({ weight: 4, arbitrary: fc.string() }, fc.constantFrom('2025-11-25', '', null, 3, {}, []));
    const params = fc.oneof(
      fc.anything({ maxDepth: 2 }),
      fc.record(
        {
          protocolVersion: word,
          clientInfo: fc.oneof(fc.constant(null), fc.record({ name: word, version: word }, { requiredKeys: [] })),
          capabilities: fc.oneof(fc.dictionary(fc.string(), word), word),
          _meta: word,
        },
        { requiredKeys: [] },
      ),
    );
    let answered = 0;
    fc.assert(
      fc.property(params, fc.oneof(fc.integer(), fc.string(), fc.double(), fc.constant(null)), (given, id) => {
        const text = JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params: given });
        const line = greeted(text);
        if (line !== undefined) {
          answered += 1;
          expect(dispatched(text)).toEqual([line]);
        }
      }),
      { numRuns: 6000 },
    );
    expect(answered).toBeGreaterThan(10);
  });

  test.each([
    ['another method', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    ['a notification', '{"jsonrpc":"2.0","method":"initialize","params":{"protocolVersion":"x"}}'],
    ['a batch', `[${initialize({ protocolVersion: 'x' })}]`],
    ['no JSON', '{'],
    [
      'depth',
      initialize({ protocolVersion: 'x', capabilities: JSON.parse('{"a":'.repeat(20) + '1' + '}'.repeat(20)) }),
    ],
    ['size', initialize({ protocolVersion: 'x', capabilities: { a: 'x'.repeat(70_000) } })],
  ])('is not for %s', (_, text) => {
    expect(greeted(text)).toBeUndefined();
  });
});

describe('a connection that is still loading', () => {
  const params = { protocolVersion: '2025-06-18', clientInfo: { name: 'codex-mcp-client' } };

  test('answers the handshake at once, the rest in order, and remembers whom it greeted', async () => {
    const { input, lines, finish, seen } = slow(true);
    input.write(`${initialize(params)}\n`);
    await soon();
    expect(lines()).toHaveLength(1);
    for (const id of [1, 2, 3]) input.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
    await soon();
    expect(lines()).toEqual([]);
    finish();
    await soon();
    expect(lines().map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2, 3]);
    expect(seen.client).toBe('codex-mcp-client');
  });

  test('keeps the order when something comes before the handshake', async () => {
    const { input, lines, finish } = slow(true);
    input.write(`{"jsonrpc":"2.0","id":"first","method":"ping"}\n${initialize(params)}\n`);
    await soon();
    expect(lines()).toEqual([]);
    finish();
    await soon();
    expect(lines().map((line) => (JSON.parse(line) as { id: unknown }).id)).toEqual(['first', 0]);
  });

  test('answers what it was sent even when the input is over', async () => {
    const { input, lines, finish, connection } = slow(false);
    input.end(`${initialize(params)}\n{"jsonrpc":"2.0","id":1,"method":"ping"}`);
    await soon();
    finish();
    expect(await connection.ended).toBe('input_ended');
    expect(await connection.stop({ drainMs: 100, abortMs: 100 })).toBe(true);
    expect(lines()).toHaveLength(2);
  });

  test('fails where loading fails', async () => {
    const connection = connectStdio(
      { load: () => Promise.reject(new Error('no')) },
      new PassThrough(),
      new PassThrough(),
    );
    await expect(connection.ended).rejects.toThrow('no');
  });
});

function slow(greeting: boolean) {
  const input = new PassThrough();
  const output = new PassThrough();
  let open: ((ready: OpenDispatcher) => void) | undefined;
  const seen: { client?: string } = {};
  const host = {
    ...(greeting && { greet: (frame: Parameters<typeof greet>[0]) => greet(frame, SERVER) }),
    load: () =>
      new Promise<OpenDispatcher>((resolve) => {
        open = resolve;
      }),
  };
  const connection = connectStdio(host, input, output);
  const lines = (): string[] =>
    String(output.read() ?? '')
      .split('\n')
      .slice(0, -1);
  return {
    input,
    lines,
    connection,
    seen,
    finish: () =>
      open?.((send, client): Dispatcher => {
        seen.client = client.name;
        return createDispatcher(HOST, send, client);
      }),
  };
}

function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
