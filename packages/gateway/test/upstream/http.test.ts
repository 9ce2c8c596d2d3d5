import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { textOf, until, world } from '../world.ts';

interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
}

type Answer = (asked: Asked, response: ServerResponse) => void;

const RESULTS: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
  'tools/list': { tools: [{ name: 'hello', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'hello' }], structuredContent: { big: 1e21, nested: [null] } },
};

function json({ id, method }: Asked, response: ServerResponse, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] }));
}

/** A Streamable HTTP server that does everything right but calls of tools, which are up to the test. */
async function upstream(call: Answer = json): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const message = { ...(JSON.parse(text) as Asked), headers: request.headers };
      asked.push(message);
      if (message.id === undefined) return response.writeHead(202).end();
      if (message.method === 'tools/call') return call(message, response);
      return json(message, response, message.method === 'initialize' ? { 'mcp-session-id': `s${asked.length}` } : {});
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, asked };
}

function stream({ id }: Asked, response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const result = { content: [{ type: 'text', text }] };
  response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message' })}\n\n`);
  response.end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
}

describe('a server at an address', () => {
  test('is listed and called, with its headers and the agreed revision', async () => {
    const { url, asked } = await upstream();
    const { tools, ask } = world({ web: { url, headers: { Authorization: 'Bearer own' } } });
    expect((await tools()).tools.map(({ displayName }) => displayName)).toEqual(['web__hello']);
    expect(await ask('web', 'hello')).toEqual(RESULTS['tools/call']);
    expect(asked.every(({ headers }) => headers.authorization === 'Bearer own')).toBe(true);
    const called = asked.find(({ method }) => method === 'tools/call');
    expect(called?.headers).toMatchObject({ 'mcp-session-id': 's1', 'mcp-protocol-version': '2025-06-18' });
  });

  test('may answer in a stream', async () => {
    const { url } = await upstream((asked, response) => stream(asked, response, 'streamed'));
    expect(textOf(await world({ web: { url } }).ask('web', 'hello'))).toBe('streamed');
  });

  const faults: [string, Answer, RegExp][] = [
    [
      'refuses the credential',
      (_, response) => response.writeHead(401).end(),
      /answered 401: its headers in the config/,
    ],
    ['fails', (_, response) => response.writeHead(500).end('secret stack'), /answered with HTTP status 500$/],
    [
      'answers too deep',
      ({ id }, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"x":${'['.repeat(3000)}${']'.repeat(3000)}}}`),
      /nested more than 256 deep$/,
    ],
    ['hangs up', (_, response) => response.destroy(), /cannot be reached/],
    ['says nothing', () => undefined, /did not answer within/],
    [
      'answers with an error',
      ({ id }, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -1, message: 'no' } })),
      /answered with an error: no \(code -1\)$/,
    ],
    [
      'ends its stream early',
      (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(':\n\n'),
      /the answer ended before it was complete$/,
    ],
    [
      'answers with too much',
      (asked, response) => stream(asked, response, 'x'.repeat(20_000)),
      /the answer ended before it was complete$|more than 10000 bytes/,
    ],
  ];
  test.each(faults)('that %s is named in the error', async (_, call, text) => {
    const { url } = await upstream(call);
    const { ask, tools } = world({ web: { url, timeoutMs: 1500, maxMessageBytes: 10_000 } });
    await tools();
    const result = await ask('web', 'hello');
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^error: the server "web" /);
    expect(textOf(result)).toMatch(text);
    expect(textOf(result)).not.toContain('secret');
  });

  test('that forgot the session gets a new one', async () => {
    let forgotten = false;
    const { url, asked } = await upstream((message, response) => {
      if (forgotten) return json(message, response);
      forgotten = true;
      response.writeHead(404).end();
    });
    const { ask } = world({ web: { url } });
    expect((await ask('web', 'hello')).isError).toBe(true);
    expect((await ask('web', 'hello')).isError).toBeUndefined();
    expect(asked.filter(({ method }) => method === 'initialize')).toHaveLength(2);
  });

  test('cannot send its credentials elsewhere by a redirect', async () => {
    const elsewhere = await upstream();
    const { url } = await upstream((_, response) => response.writeHead(307, { location: elsewhere.url }).end());
    const result = await world({ web: { url, headers: { Authorization: 'Bearer own' } } }).ask('web', 'hello');
    expect(result.isError).toBe(true);
    expect(elsewhere.asked).toEqual([]);
  });

  test('that is not there fails by itself', async () => {
    const { url } = await upstream();
    const { tools, ask } = world({ web: { url }, gone: { url: 'http://127.0.0.1:9/mcp' } });
    await until(async () => (await tools()).tools.length === 1, 'the other is listed');
    expect(textOf(await ask('gone', 'hello'))).toMatch(/^error: the server "gone" cannot be reached/);
    expect(textOf(await ask('web', 'hello'))).toBe('hello');
  });
});
