import { describe, expect, test } from 'vitest';
import { type McpAnswer, readAnswer } from './answer.ts';
import { openRaw, postText } from './raw.ts';
import { cleanUpSites, openSite, until } from './site.ts';

cleanUpSites();
const site = await openSite();

const BOTH = { accept: 'application/json, text/event-stream' };
const LEGACY = { ...BOTH, 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': await greet('tester') };
const PREFIX = 'io.modelcontextprotocol/';
const META = {
  [`${PREFIX}protocolVersion`]: '2026-07-28',
  [`${PREFIX}clientInfo`]: { name: 'tester', version: '1' },
  [`${PREFIX}clientCapabilities`]: {},
};

async function post(message: unknown, headers: Readonly<Record<string, string>> = {}): Promise<McpAnswer> {
  return await readAnswer(await site.post('/mcp', message, headers));
}

function request(method: string, params?: unknown, id: string | number = 1): object {
  return { jsonrpc: '2.0', id, method, params };
}

function call(name: string, args: object, meta?: object): object {
  return request('tools/call', { name, arguments: args, ...(meta !== undefined && { _meta: meta }) });
}

/** As a client of the current revision sends it; `over` spoils a header, `undefined` leaves it out. */
function modern(
  method: string,
  params: object = {},
  over: Record<string, string | undefined> = {},
): Promise<McpAnswer> {
  const name = 'name' in params ? { 'mcp-name': String(params.name) } : {};
  const headers = { ...BOTH, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name, ...over };
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return post(request(method, { _meta: META, ...params }), Object.fromEntries(given));
}

describe('a bare post', () => {
  test('is answered without a handshake, whatever it accepts', async () => {
    const reply = await post(call('echo', { text: 'hi' }), { accept: 'text/html' });
    expect([reply.status, reply.json.result.content]).toEqual([200, [{ type: 'text', text: 'hi' }]]);
    expect(reply.headers.get('content-type')).toBe('application/json');
  });

  test.each([
    ['no JSON', '{', -32700, null],
    ['no UTF-8', '"\ud800"', -32600, null],
    ['a batch', [request('ping')], -32600, null],
    ['no request', { jsonrpc: '1.0', id: 7, method: 'ping' }, -32600, 7],
    ['an unknown method', request('nope'), -32601, 1],
    ['bad params', request('initialize', {}), -32602, 1],
    ['an unknown tool', call('nope', {}), -32602, 1],
    ['a defect', call('boom', {}), -32603, 1],
  ])('of %s is a JSON-RPC error with status 200', async (_, message, code, id) => {
    const { status, json } = await post(message);
    expect([status, json.error.code, json.id]).toEqual([200, code, id]);
  });

  test.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/whatever' }],
    ['an answer to nothing', { jsonrpc: '2.0', id: 1, result: {} }],
  ])('of %s is 202 without a body', async (_, message) => {
    const { status, json } = await post(message);
    expect([status, json]).toEqual([202, undefined]);
  });

  test('with a progress token is answered in one piece all the same', async () => {
    const reply = await post(call('echo', { text: 'hi' }, { progressToken: 1 }));
    expect(reply.headers.get('content-type')).toBe('application/json');
  });

  test('whose caller goes away is cancelled', async () => {
    const connection = await openRaw(site.port);
    connection.write(postText('/mcp', JSON.stringify(call('wait', { ms: 600_000 }))));
    await until(() => site.listener.load().running === 1);
    connection.socket.destroy();
    await until(() => site.listener.load().running === 0);
  });
});

describe('a client of a revision with a handshake', () => {
  test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('of %s is served', async (version) => {
    const hello = await post(request('initialize', { protocolVersion: version, capabilities: {} }), BOTH);
    expect(hello.json.result.protocolVersion).toBe(version);
    const session = hello.headers.get('mcp-session-id') ?? '';
    const headers = { ...BOTH, 'mcp-protocol-version': version, 'mcp-session-id': session };
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers)).status).toBe(202);
    expect((await post(request('ping'), headers)).json.result).toEqual({});
    expect((await post(call('echo', { text: 'x' }), headers)).json.result.structuredContent).toEqual({ text: 'x' });
  });

  test.each([
    ['application/json', 406],
    ['text/event-stream', 406],
    ['text/html, application/json;q=0.5', 406],
    ['application/json;q=1, text/event-stream', 200],
    ['*/*', 200],
    ['application/*, text/*', 200],
  ])('that accepts %j gets %i', async (accept, status) => {
    expect((await post(request('ping'), { ...LEGACY, accept })).status).toBe(status);
  });

  test.each(['2023-01-01', '', 'latest', '2025-11-25, 2025-11-25'])(
    'of the unknown revision %j is 400',
    async (version) => {
      const { status, json } = await post(request('ping', {}, 'a'), { ...BOTH, 'mcp-protocol-version': version });
      expect([status, json.id, json.error.code, json.error.data.requested]).toEqual([400, 'a', -32022, version]);
      expect(json.error.data.supported).toEqual(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']);
    },
  );

  test('that sends no request gets 400, and one that has no such method 200', async () => {
    expect([(await post('{', LEGACY)).status, (await post([], LEGACY)).status]).toEqual([400, 400]);
    const unknown = await post(request('nope'), LEGACY);
    expect([unknown.status, unknown.json.error.code]).toEqual([200, -32601]);
  });

  test('whose connection breaks is not cancelled: the tool runs to its end, and nobody gets the answer', async () => {
    const own = await openSite();
    const connection = await openRaw(own.port);
    connection.write(postText('/mcp', JSON.stringify(call('wait', { ms: 300 })), LEGACY));
    await until(() => own.listener.load().running === 1);
    connection.socket.destroy();
    await until(() => own.events.some(({ event }) => event === 'tool.respond_failed'));
    await until(() => own.listener.load().running === 0);
  });
});

/** Introduces a client; gives its session. */
async function greet(name: string): Promise<string> {
  const clientInfo = { name, version: '1' };
  const { headers } = await post(request('initialize', { protocolVersion: '2025-11-25', clientInfo }), BOTH);
  return headers.get('mcp-session-id') ?? '';
}

function cancelled(requestId: unknown): object {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
}

describe('a session', () => {
  test('has an id that is new each time and visible ASCII', async () => {
    const [one, two] = [await greet('x'), await greet('x')];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^[\x21-\x7e]+$/);
    expect(Buffer.from(one.split('.')[1] ?? '', 'base64url')).toHaveLength(16);
  });

  test('is given for a good handshake only', async () => {
    const bad = await post(request('initialize', {}), BOTH);
    expect([bad.json.error.code, bad.headers.get('mcp-session-id')]).toEqual([-32602, null]);
  });

  test.each(['nope', 'jv1.AAAAAAAAAAAAAAAAAAAAAA.bm9wZQ', 'jv1.AAAAAAAAAAAAAAAAAAAAAA.WzEsMl0', ''])(
    'that nobody was given is 404: %j',
    async (session) => {
      const { status, json } = await post(request('ping'), { ...LEGACY, 'mcp-session-id': session });
      expect([status, json.error.code]).toEqual([404, 'not_found']);
    },
  );

  test('is asked for by the revisions that have them, but for the handshake itself', async () => {
    const headers = { ...BOTH, 'mcp-protocol-version': '2025-11-25' };
    const messages = [request('ping'), { jsonrpc: '2.0', method: 'notifications/initialized' }];
    for (const message of messages) {
      const { status, json } = await post(message, headers);
      expect([status, json.error.code]).toEqual([400, 'bad_request']);
    }
    expect((await post(request('initialize', { protocolVersion: '2025-11-25' }), headers)).status).toBe(200);
  });

  test('tells who calls: a client that shows its model objects gets text', async () => {
    const headers = { ...LEGACY, 'mcp-session-id': await greet('claude-code') };
    const { result } = (await post(call('echo', { text: 'x' }), headers)).json;
    expect(Object.keys(result)).toEqual(['content', '_meta']);
    const refused = (await post(call('echo', { text: 5 }), headers)).json;
    expect(refused.result.isError).toBe(true);
  });

  test('can cancel its own request, and nobody else’s', async () => {
    const mine = { ...LEGACY, 'mcp-session-id': await greet('me') };
    const other = { ...LEGACY, 'mcp-session-id': await greet('you') };
    const waiting = post(request('tools/call', { name: 'wait', arguments: { ms: 600_000 } }, 0), mine);
    await until(() => site.listener.load().running === 1);
    for (const headers of [other, LEGACY, {}]) expect((await post(cancelled(0), headers)).status).toBe(202);
    for (const id of ['0', 1, null, undefined]) expect((await post(cancelled(id), mine)).status).toBe(202);
    expect(site.listener.load().running).toBe(1);
    await post(cancelled(0), mine);
    const { status, json } = await waiting;
    expect([status, json]).toEqual([202, undefined]);
  });
});

describe('a client of the current revision', () => {
  test('learns everything from one request', async () => {
    const { status, json } = await modern('server/discover');
    expect(status).toBe(200);
    expect(json.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      capabilities: { tools: { listChanged: false }, resources: {}, prompts: {} },
      ttlMs: 0,
      cacheScope: 'private',
      jeeves: { schemaVersion: 1 },
      _meta: { [`${PREFIX}serverInfo`]: { name: 'test-server', version: '1.2.3' } },
    });
  });

  test('gets results of a kind, with who they are from, and listings with how long they hold', async () => {
    const { result } = (await modern('tools/call', { name: 'echo', arguments: { text: 'x' } })).json;
    expect(result).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: 'x' }],
      structuredContent: { text: 'x' },
      _meta: { [`${PREFIX}serverInfo`]: { name: 'test-server', version: '1.2.3' } },
    });
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
      expect((await modern(method)).json.result).toMatchObject({
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
      });
    }
  });

  test('is told apart by what it says of itself in every request', async () => {
    const meta = { ...META, [`${PREFIX}clientInfo`]: { name: 'claude-code', version: '2' } };
    const { result } = (await modern('tools/call', { name: 'echo', arguments: { text: 'x' }, _meta: meta })).json;
    expect(result).toMatchObject({ _meta: { 'jeeves/result': { text: 'x' }, [`${PREFIX}serverInfo`]: {} } });
    expect(result).not.toHaveProperty('structuredContent');
  });

  test('gets a giant result cut to the limit, marked like any other', async () => {
    const { result } = (await modern('tools/call', { name: 'flood', arguments: { bytes: 9_000_000, char: '"' } })).json;
    expect(result.resultType).toBe('complete');
    expect(result.content[0]?.text.length).toBeLessThan(9_000_000);
  });

  const list = { method: 'tools/list', params: {} };
  const echo = { method: 'tools/call', params: { name: 'echo' } };
  const other = { _meta: { ...META, [`${PREFIX}protocolVersion`]: 'x' } };
  test.each([
    ['the method', { ...list, over: { 'mcp-method': 'prompts/list' } }, 'Mcp-Method'],
    ['no method', { ...list, over: { 'mcp-method': undefined } }, 'Mcp-Method'],
    ['the method in capitals', { ...list, over: { 'mcp-method': 'TOOLS/LIST' } }, 'Mcp-Method'],
    ['no revision', { ...list, over: { 'mcp-protocol-version': undefined } }, 'MCP-Protocol-Version'],
    ['the tool', { ...echo, over: { 'mcp-name': 'wait' } }, 'Mcp-Name'],
    ['no tool', { ...echo, over: { 'mcp-name': undefined } }, 'Mcp-Name'],
    ['the tool, encoded', { ...echo, over: { 'mcp-name': '=?base64?d2FpdA==?=' } }, 'Mcp-Name'],
    ['a badly encoded tool', { ...echo, over: { 'mcp-name': '=?base64?ZWNobw?=' } }, 'Mcp-Name'],
    ['another revision', { ...list, params: other, over: {} }, 'MCP-Protocol-Version'],
  ])('whose headers say otherwise than its body is refused: %s', async (_, { method, params, over }, header) => {
    const { status, json } = await modern(method, params, over);
    expect([status, json.id, json.error.code, json.error.data]).toEqual([400, 1, -32020, { header }]);
  });

  test('may encode a name, and stand spaces around it', async () => {
    const params = { name: 'echo', arguments: { text: 'x' } };
    for (const name of ['=?base64?ZWNobw==?=', '  echo  ']) {
      expect((await modern('tools/call', params, { 'mcp-name': name })).status).toBe(200);
    }
  });

  test.each([
    ['nothing', undefined],
    ['no revision', { [`${PREFIX}clientCapabilities`]: {} }],
    ['no capabilities', { [`${PREFIX}protocolVersion`]: '2026-07-28' }],
    ['a bad name', { ...META, [`${PREFIX}clientInfo`]: 5 }],
  ])('that says %s of itself is refused', async (_, meta) => {
    const { status, json } = await modern('tools/list', { _meta: meta });
    expect([status, json.error.code, json.error.data.method]).toEqual([400, -32602, 'tools/list']);
  });

  test('may leave out its name', async () => {
    const { [`${PREFIX}clientInfo`]: _, ...meta } = META;
    expect((await modern('tools/list', { _meta: meta })).status).toBe(200);
  });

  test.each(['initialize', 'ping', 'logging/setLevel', 'subscriptions/listen', 'constructor'])(
    'that asks for %s is told that there is none',
    async (method) => {
      const { status, json } = await modern(method);
      expect([status, json.error.code]).toEqual([404, -32601]);
    },
  );

  test('that breaks the schema of a tool gets its answer with status 200', async () => {
    const { status, json } = await modern('tools/call', { name: 'echo', arguments: {} });
    expect([status, json.error.code]).toEqual([200, -32602]);
  });

  test('is given no session', async () => {
    expect((await modern('server/discover')).headers.get('mcp-session-id')).toBeNull();
  });

  test('cancels by closing the stream', async () => {
    const connection = await openRaw(site.port);
    const params = { name: 'wait', arguments: { ms: 600_000 }, _meta: { ...META, progressToken: 1 } };
    const headers = { ...BOTH, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'wait' };
    connection.write(postText('/mcp', JSON.stringify(request('tools/call', params)), headers));
    expect((await connection.reply({ head: true })).headers.get('content-type')).toBe('text/event-stream');
    expect(site.listener.load().running).toBe(1);
    connection.socket.destroy();
    await until(() => site.listener.load().running === 0);
  });
});

describe('progress', () => {
  test('comes as events before the reply, each with one message', async () => {
    const reply = await site.post('/mcp', call('chatter', { times: 3, every: 1050 }, { progressToken: 'p' }), LEGACY);
    expect(reply.headers.get('content-type')).toBe('text/event-stream');
    const events = (await reply.text()).split('\n\n').filter((event) => event !== '');
    expect(events.every((event) => event.startsWith('event: message\ndata: '))).toBe(true);
    const messages = events.map((event) => JSON.parse(event.slice('event: message\ndata: '.length)));
    expect(messages.slice(0, -1).map(({ params }) => [params.progressToken, params.progress])).toEqual([
      ['p', 1],
      ['p', 2],
      ['p', 3],
    ]);
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { structuredContent: { text: 'done' } } });
  });

  test('does not hide an error: it comes as the last event', async () => {
    const reply = await site.post('/mcp', call('boom', {}, { progressToken: 0 }), LEGACY);
    expect(reply.status).toBe(200);
    expect(await reply.text()).toContain('"error":{"code":-32603');
  });
});

test('twenty clients at once get their own answers', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, client) => {
      const seen: boolean[] = [];
      for (let at = 0; at < 5; at += 1) {
        const text = `canary ${client} ${at}`;
        const { json } = await post({ ...call('echo', { text }), id: at }, client % 2 === 0 ? LEGACY : {});
        seen.push(json.id === at && json.result.structuredContent.text === text);
      }
      return seen;
    }),
  );
  expect(answers.flat().filter((own) => own)).toHaveLength(100);
});
