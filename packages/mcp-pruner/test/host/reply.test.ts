import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { type OutputMode, outcomeLine, resultLine, resultOf } from '../../src/host/reply.ts';
import type { ToolOutcome } from '../../src/host/tool.ts';
import { connect, type Peer } from './peer.ts';

async function introduced(name: string, output: OutputMode = 'auto'): Promise<Peer> {
  const peer = connect({ output });
  await peer.ask('initialize', { protocolVersion: '2025-11-25', clientInfo: { name, version: '1' } });
  return peer;
}

const CONTENT = [{ type: 'text', text: 'hi' }];
const BOTH = { content: CONTENT, structuredContent: { text: 'hi' } };
const TEXT = { content: CONTENT, _meta: { 'jeeves/result': { text: 'hi' } } };

describe('what a client gets', () => {
  test.each<[string, OutputMode, object]>([
    ['some-client', 'auto', BOTH],
    ['', 'auto', BOTH],
    ['claude-code', 'auto', TEXT],
    ['codex-mcp-client', 'auto', TEXT],
    ['claude-code', 'structured', BOTH],
    ['some-client', 'text', TEXT],
  ])('%j with %s', async (name, output, result) => {
    const peer = await introduced(name, output);
    expect((await peer.call('echo', { text: 'hi' })).result).toEqual(result);
  });

  test('before it introduced itself is both', async () => {
    expect((await connect().call('echo', { text: 'hi' })).result).toEqual(BOTH);
  });

  test('as an error keeps the flag', async () => {
    const peer = await introduced('claude-code');
    expect((await peer.call('fail')).result).toMatchObject({ isError: true, content: [{ text: 'not_found: gone' }] });
  });
});

describe.each(['claude-code', 'codex-mcp-client'])('errors in words for %s', (name) => {
  test('name every offending argument', async () => {
    const peer = await introduced(name);
    const { result, error } = await peer.call('flood', { char: 1, zzz: 2 });
    expect(error).toBeUndefined();
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'jeeves/result': { error: { code: -32602, data: { tool: 'flood' } } } },
    });
    const content = result?.['content'] as { text: string }[] | undefined;
    for (const field of ['bytes', 'char', 'zzz']) expect(content?.[0]?.text).toContain(field);
  });

  test('name arguments that are no object', async () => {
    const { result } = await (await introduced(name)).call('echo', [1]);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('arguments') }] });
  });

  test('say what a tool refused', async () => {
    const { result } = await (await introduced(name)).call('refuse');
    expect(result).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'prune_id_not_found: no such id' }],
      _meta: {
        'jeeves/result': {
          error: {
            code: -32004,
            message: 'prune_id_not_found',
            data: { code: 'prune_id_not_found', prune_id: 'prn_x' },
          },
        },
      },
    });
  });

  test('stay errors where no model could mend them', async () => {
    const peer = await introduced(name);
    expect((await peer.call('nope')).error).toMatchObject({ code: -32602, data: { tool: 'nope' } });
    expect((await peer.call('boom')).error).toMatchObject({ code: -32603 });
    expect((await peer.ask('nope')).error).toMatchObject({ code: -32601 });
  });
});

describe('a reply past 8 MiB', () => {
  test.each([
    ['plain text', 'x', 10_000_000],
    ['text that escaping multiplies', '\u0000', 10_000_000],
    ['quotes', '"', 9_000_000],
    ['characters of several bytes', '€', 4_000_000],
  ])('of %s is cut until it fits', async (_, char, bytes) => {
    const peer = connect();
    const { result } = await peer.call('flood', { char, bytes });
    const size = Buffer.byteLength(JSON.stringify({ jsonrpc: '2.0', id: 101, result }));
    expect(size).toBeLessThanOrEqual(8 * 1024 * 1024);
    // Not cut to nothing, either.
    expect(size).toBeGreaterThan(2 * 1024 * 1024);
    expect(result).toHaveProperty('structuredContent');
  });

  test('whose escapes are all at the end is cut again', () => {
    const make = (length: number): ToolOutcome => {
      const text = ('\u0000'.repeat(500) + 'x'.repeat(5000)).slice(0, length);
      return { text, structured: {}, isError: false, mode: 'raw', shrink: make };
    };
    const cut = outcomeLine(1, make(5500), 'structured', 2000);
    expect(Buffer.concat(cut ?? []).length).toBeLessThanOrEqual(2000);
    expect(cut).toBeDefined();
  });

  test('that cannot be cut is an internal error; the connection lives', async () => {
    const peer = connect();
    expect((await peer.call('solid', { bytes: 5_000_000 })).error).toEqual({ code: -32603, message: 'Internal error' });
    expect((await peer.call('solid', { bytes: 1_000_000 })).result).toHaveProperty('structuredContent');
  });
});

describe('a long text', () => {
  const text = 'é "quoted" \n\u2028\ud800'.repeat(8000);
  test.each([
    ['that the object repeats', { content: text, n: 1 }],
    ['that the object repeats twice', { a: text, b: { c: text } }],
    ['beside a value that reads like the mark', { content: text, other: '\u0000the text\u0000' }],
    ['that the object does not hold', { content: 'else' }],
  ])('%s is written as it is', (_, structured) => {
    const outcome: ToolOutcome = { text, structured, isError: true, mode: 'raw' };
    for (const shape of ['structured', 'text'] as const) {
      const line = Buffer.concat(outcomeLine('x', outcome, shape) ?? []).toString();
      expect(line).toBe(resultLine('x', resultOf(outcome, shape)));
    }
  });
});

describe('a reply that fails', () => {
  test('to be serialized is an internal error and ends the connection', async () => {
    const peer = connect();
    expect((await peer.call('cyclic')).error).toEqual({ code: -32603, message: 'Internal error' });
    expect(peer.events.at(-1)).toMatchObject({
      event: 'tool.respond_failed',
      request_id: 'req_1',
      data: { tool: 'cyclic', message: expect.stringContaining('circular') },
    });
    expect(await peer.connection.ended).toBe('output_broken');
  });

  test('to be written is logged and ends the connection', async () => {
    const peer = connect();
    peer.output.destroy(new Error('the pipe is broken'));
    peer.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}\n');
    await peer.until(() => peer.events.some(({ event }) => event === 'tool.respond_failed'));
    expect(await peer.connection.ended).toBe('output_broken');
  });
});

test('a client that does not read is made to wait, and served when it does', async () => {
  const peer = connect();
  peer.output.pause();
  for (let id = 0; id < 30; id += 1) {
    peer.write(request(id));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(peer.output.writableLength).toBeLessThan(160 * 1024 * 1024);
  peer.output.resume();
  await peer.until(() => peer.messages.length === 30);
  expect(new Set(peer.messages.map(({ id }) => id)).size).toBe(30);
});

function request(id: number): string {
  const params = { name: 'solid', arguments: { bytes: 4_000_000 } };
  return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`;
}
