import { describe, expect, test } from 'vitest';
import { PROTOCOL_VERSIONS } from '../../src/host/initialize.ts';
import { connect, type Message } from './peer.ts';

const INVALID = { code: -32602, message: 'Invalid params' };

function event(name: string, data: object): object {
  return { event: name, request_id: 'req_1', data };
}

/** What came back for lines that are no requests; a ping closes the count. */
async function repliesTo(...lines: string[]): Promise<Message[]> {
  const peer = connect();
  for (const text of lines) peer.write(`${text}\n`);
  await peer.ask('ping', undefined, 'end');
  return peer.messages.filter(({ id }) => id !== 'end');
}

describe('initialize', () => {
  test.each(PROTOCOL_VERSIONS)('takes the client’s revision %s', async (protocolVersion) => {
    const { result } = await connect().ask('initialize', { protocolVersion }, 0);
    expect(result).toEqual({
      protocolVersion,
      serverInfo: { name: 'fixture', version: '1.2.3' },
      capabilities: { tools: { listChanged: false } },
      jeeves: { schemaVersion: 1 },
      instructions: 'Use it well.',
    });
  });

  test.each(['2024-10-07', '2099-01-01', 'latest'])('offers the newest revision for %s', async (protocolVersion) => {
    const { result } = await connect().ask('initialize', { protocolVersion });
    expect(result?.['protocolVersion']).toBe('2025-11-25');
  });

  test.each([
    ['nothing', undefined, ''],
    ['no version', {}, 'protocolVersion'],
    ['a number', { protocolVersion: 1 }, 'protocolVersion'],
    ['an empty version', { protocolVersion: '' }, 'protocolVersion'],
    ['a client without a name', { protocolVersion: 'x', clientInfo: {} }, 'clientInfo.name'],
    ['capabilities that are a list', { protocolVersion: 'x', capabilities: [] }, 'capabilities'],
  ])('refuses %s', async (_, params, path) => {
    const { error } = await connect().ask('initialize', params);
    expect(error).toMatchObject({ ...INVALID, data: { jeeves: { schemaVersion: 1 }, method: 'initialize' } });
    expect(error?.data?.['issues']).toMatchObject([{ path }]);
  });
});

describe('methods', () => {
  test.each([
    ['ping', {}],
    ['resources/list', { resources: [] }],
    ['resources/templates/list', { resourceTemplates: [] }],
    ['prompts/list', { prompts: [] }],
  ])('%s', async (method, result) => {
    for (const params of [undefined, {}, { _meta: { progressToken: 1 } }]) {
      expect(await connect().ask(method, params)).toEqual({ jsonrpc: '2.0', id: 101, result });
    }
  });

  test('tools/list gives every tool in order, without an output schema', async () => {
    const { result } = await connect({ toolMeta: { key: 1 } }).ask('tools/list');
    const tools = result?.['tools'] as Record<string, unknown>[];
    expect(tools.map(({ name }) => name).slice(0, 3)).toEqual(['echo', 'wait', 'stuck']);
    expect(tools[0]).toEqual({
      name: 'echo',
      title: 'The echo',
      description: 'Does echo.',
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      _meta: { key: 1 },
    });
  });

  test.each([
    ['tools/list', 'x', ''],
    ['tools/list', [1], ''],
    ['tools/list', null, ''],
    ['tools/list', { cursor: 5 }, 'cursor'],
    ['tools/list', { _meta: 5 }, '_meta'],
    ['ping', 'x', ''],
    ['ping', { _meta: { progressToken: 1.5 } }, '_meta.progressToken'],
    ['prompts/list', [], ''],
  ])('%s refuses %j', async (method, params, path) => {
    const { error } = await connect().ask(method, params);
    expect(error).toMatchObject({ ...INVALID, data: { method, issues: [{ path }] } });
  });

  test.each(['tools/lists', '', 'server/discover', 'constructor', '__proto__', 'x'.repeat(100_000)])(
    '%.20j is unknown',
    async (method) => {
      expect((await connect().ask(method)).error).toEqual({ code: -32601, message: 'Method not found' });
    },
  );
});

describe('messages that are no requests', () => {
  test.each(['', '  ', 'hello', '{', '{"a":1,}', '\u0000', 'nul', '{"jsonrpc":"2.0","id":1,"method":"ping"'])(
    '%j is a parse error without an id',
    async (text) => {
      expect(await repliesTo(text)).toEqual(
        text === '' ? [] : [{ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }],
      );
    },
  );

  test.each([
    ['null', null],
    ['3', null],
    ['"ping"', null],
    ['[]', null],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null],
    ['{}', null],
    ['{"jsonrpc":"1.0","id":4,"method":"ping"}', 4],
    ['{"id":4,"method":"ping"}', 4],
    ['{"jsonrpc":"2.0","id":"x"}', 'x'],
    ['{"jsonrpc":"2.0","id":4,"method":5}', 4],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
    ['{"jsonrpc":"2.0","id":true,"method":"ping"}', null],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
    ['{"jsonrpc":"2.0","id":[1],"method":"ping"}', null],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null],
    ['{"jsonrpc":"2.0","id":1e300,"method":"ping"}', null],
  ])('%s is an invalid request', async (text, id) => {
    expect(await repliesTo(text)).toEqual([
      { jsonrpc: '2.0', id, error: { code: -32600, message: 'Invalid Request' } },
    ]);
  });

  test('notifications and responses get no reply, known or not', async () => {
    const replies = await repliesTo(
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
      '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"boom","arguments":{}}}',
      '{"jsonrpc":"2.0","method":"ping"}',
      '{"jsonrpc":"2.0","id":9,"result":{}}',
      '{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"x"}}',
    );
    expect(replies).toEqual([]);
  });

  test('a handshake’s last message is answered where it comes with an id', async () => {
    const replies = await repliesTo('{"jsonrpc":"2.0","id":7,"method":"notifications/initialized"}');
    expect(replies).toEqual([{ jsonrpc: '2.0', id: 7, result: {} }]);
  });

  test('are logged without what they hold', async () => {
    const peer = connect();
    peer.write('secret\n{"secret":1}\n');
    await peer.ask('ping');
    expect(peer.events).toEqual([
      { event: 'tool.request_parse_failed', data: { message: 'the message is not JSON' } },
      { event: 'tool.request_invalid', data: { message: 'the message is not a request' } },
    ]);
  });
});

describe('a call', () => {
  test('answers with text and object, and its events share one id', async () => {
    const peer = connect();
    expect(await peer.call('echo', { text: 'hi' }, 0)).toEqual({
      jsonrpc: '2.0',
      id: 0,
      result: { content: [{ type: 'text', text: 'hi' }], structuredContent: { text: 'hi' } },
    });
    await peer.until(() => peer.events.length === 3);
    expect(peer.events).toEqual([
      event('tool.request_received', { tool: 'echo' }),
      event('tool.exec_start', { tool: 'echo' }),
      event('tool.respond_ok', { tool: 'echo', mode: 'raw' }),
    ]);
  });

  test.each([
    ['no params', undefined, undefined, [['', 'invalid_type']]],
    ['params that are text', 'x', undefined, [['', 'invalid_type']]],
    ['no name', { arguments: {} }, undefined, [['name', 'invalid_type']]],
    ['a name that is no text', { name: 3 }, undefined, [['name', 'invalid_type']]],
    ['an unknown tool', { name: 'nope', arguments: {} }, 'nope', [['name', 'invalid_value']]],
    ['a name of the prototype', { name: 'constructor' }, 'constructor', [['name', 'invalid_value']]],
    ['arguments that are a list', { name: 'echo', arguments: [1] }, 'echo', [['arguments', 'invalid_type']]],
    ['a missing argument', { name: 'echo' }, 'echo', [['arguments.text', 'invalid_type']]],
    [
      'several mistakes, sorted',
      { name: 'flood', arguments: { char: 1, zzz: 1 }, _meta: { progressToken: {} } },
      'flood',
      [['_meta.progressToken', 'invalid_union']],
    ],
    [
      'mistakes in the arguments, sorted',
      { name: 'flood', arguments: { char: 1, zzz: 1 } },
      'flood',
      [
        ['arguments', 'unrecognized_keys'],
        ['arguments.bytes', 'invalid_type'],
        ['arguments.char', 'invalid_type'],
      ],
    ],
  ])('with %s is refused and runs nothing', async (_, params, tool, issues) => {
    const peer = connect();
    const { error } = await peer.ask('tools/call', params);
    expect(error).toEqual({
      ...INVALID,
      data: {
        jeeves: { schemaVersion: 1 },
        method: 'tools/call',
        ...(tool !== undefined && { tool }),
        issues: issues.map(([path, code]) => ({ path, code, message: code })),
      },
    });
    const names = peer.events.map(({ event }) => event);
    expect(names).toEqual([...(tool === undefined ? [] : ['tool.request_received']), 'tool.request_invalid']);
  });

  test('cannot give an object a prototype', async () => {
    const peer = connect();
    peer.write(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a","__proto__":{"polluted":1}}}}\n',
    );
    await peer.until(() => peer.messages.length === 1);
    expect(peer.messages[0]?.error).toMatchObject({ ...INVALID, data: { issues: [{ code: 'unrecognized_keys' }] } });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('of a tool that throws is an internal error, and the next one works', async () => {
    const peer = connect();
    expect((await peer.call('boom')).error).toEqual({ code: -32603, message: 'Internal error' });
    const thrown = peer.events.find(({ event }) => event === 'tool.internal_error');
    expect(thrown).toMatchObject({ request_id: 'req_1', data: { tool: 'boom', message: 'a defect' } });
    expect(thrown?.data).toHaveProperty('stack', expect.stringContaining('TypeError: a defect\n    at '));
    expect((await peer.call('echo', { text: 'on' })).result).toMatchObject({ structuredContent: { text: 'on' } });
  });

  test('that a tool refuses with an error of the protocol', async () => {
    expect((await connect().call('refuse')).error).toEqual({
      code: -32004,
      message: 'prune_id_not_found',
      data: { code: 'prune_id_not_found', prune_id: 'prn_x' },
    });
  });

  test('that fails is a result, not an error', async () => {
    const { result, error } = await connect().call('fail');
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ isError: true, content: [{ text: 'not_found: gone' }] });
  });
});
