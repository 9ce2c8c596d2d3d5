import {
  INITIALIZE_PARAMS,
  RESULT_META_KEY,
  readRpcMessage,
  SCHEMA_VERSION,
  SERVER_NAME,
  TOOLS_CALL_PARAMS,
  TOOLS_LIST_PARAMS,
} from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';
import type { ZodType } from 'zod';

const base = { jsonrpc: '2.0', method: 'tools/list' };

describe('readRpcMessage', () => {
  const requests = [
    { ...base, id: 0 },
    { ...base, id: -1 },
    { ...base, id: Number.MAX_SAFE_INTEGER },
    { ...base, id: '' },
    { ...base, id: 'a', params: [] },
    { ...base, id: 1, params: null, extra: true },
  ];
  it.each(requests)('takes %j for a request, as it is', (message) => {
    expect(readRpcMessage(message)).toEqual({ kind: 'request', message });
  });

  it('takes a message without an id for a notification', () => {
    expect(readRpcMessage(base)).toEqual({ kind: 'notification', message: base });
  });

  const responses = [
    { jsonrpc: '2.0', id: 1, result: null },
    { jsonrpc: '2.0', id: 'a', error: { code: 1, message: 'no' } },
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
  ];
  it.each(responses)('takes %j for a response', (message) => {
    expect(readRpcMessage(message)).toEqual({ kind: 'response', message });
  });

  const invalid: [unknown, string | number | null][] = [
    [{ ...base, id: null }, null],
    [{ ...base, id: true }, null],
    [{ ...base, id: {} }, null],
    [{ ...base, id: [1] }, null],
    [{ ...base, id: 1.5 }, null],
    [{ ...base, id: 2 ** 53 }, null],
    [{ ...base, id: 1, jsonrpc: '1.0' }, 1],
    [{ method: 'tools/list', id: 'a' }, 'a'],
    [{ jsonrpc: '2.0', id: 7 }, 7],
    [{ jsonrpc: '2.0', id: 7, method: 3 }, 7],
    [{ jsonrpc: '2.0', id: 7, result: 1, error: { code: 1, message: '' } }, 7],
    [{ jsonrpc: '2.0', id: null, result: 1 }, null],
    [{ jsonrpc: '2.0', id: 7, error: 'no' }, 7],
    [[{ ...base, id: 1 }], null],
    [[], null],
    [{}, null],
    [null, null],
    ['tools/list', null],
    [42, null],
    [undefined, null],
  ];
  it.each(invalid)('refuses %j and answers to id %j', (value, id) => {
    expect(readRpcMessage(value)).toEqual({ kind: 'invalid', id });
  });
});

describe('method params', () => {
  const accepted: [string, ZodType, unknown, unknown][] = [
    ['initialize', INITIALIZE_PARAMS, { protocolVersion: '2025-11-25' }, { protocolVersion: '2025-11-25' }],
    [
      'initialize',
      INITIALIZE_PARAMS,
      { protocolVersion: 'x', clientInfo: { name: 'c', title: 'C' }, capabilities: { roots: {} }, _meta: {} },
      { protocolVersion: 'x', clientInfo: { name: 'c' }, capabilities: { roots: {} } },
    ],
    ['tools/list', TOOLS_LIST_PARAMS, {}, {}],
    ['tools/list', TOOLS_LIST_PARAMS, { cursor: 'c', _meta: {} }, { cursor: 'c' }],
    ['tools/call', TOOLS_CALL_PARAMS, { name: 'health' }, { name: 'health', arguments: {} }],
    [
      'tools/call',
      TOOLS_CALL_PARAMS,
      { name: 'read', arguments: { a: 1 }, _meta: {} },
      { name: 'read', arguments: { a: 1 } },
    ],
  ];
  it.each(accepted)('%s takes %#', (_, schema, params, read) => {
    expect(schema.parse(params)).toEqual(read);
  });

  const refused: [string, ZodType, unknown, string[]][] = [
    ['initialize', INITIALIZE_PARAMS, undefined, [' invalid_type']],
    ['initialize', INITIALIZE_PARAMS, {}, ['protocolVersion invalid_type']],
    ['initialize', INITIALIZE_PARAMS, { protocolVersion: 3 }, ['protocolVersion invalid_type']],
    ['initialize', INITIALIZE_PARAMS, { protocolVersion: '' }, ['protocolVersion too_small']],
    ['initialize', INITIALIZE_PARAMS, { protocolVersion: 'x', clientInfo: {} }, ['clientInfo.name invalid_type']],
    ['initialize', INITIALIZE_PARAMS, { protocolVersion: 'x', capabilities: [] }, ['capabilities invalid_type']],
    ['tools/list', TOOLS_LIST_PARAMS, [], [' invalid_type']],
    ['tools/list', TOOLS_LIST_PARAMS, { cursor: 1 }, ['cursor invalid_type']],
    ['tools/call', TOOLS_CALL_PARAMS, {}, ['name invalid_type']],
    ['tools/call', TOOLS_CALL_PARAMS, { name: '' }, ['name too_small']],
    ['tools/call', TOOLS_CALL_PARAMS, { name: 'read', arguments: [] }, ['arguments invalid_type']],
    ['tools/call', TOOLS_CALL_PARAMS, { name: 'read', arguments: null }, ['arguments invalid_type']],
  ];
  it.each(refused)('%s refuses %#', (_, schema, params, issues) => {
    const found = schema.safeParse(params).error?.issues.map((issue) => `${issue.path.join('.')} ${issue.code}`);
    expect(found).toEqual(issues);
  });
});

describe('names on the wire', () => {
  it('are these', () => {
    expect([SCHEMA_VERSION, SERVER_NAME, RESULT_META_KEY]).toEqual([1, '@jeeves/mcp-pruner', 'jeeves/result']);
  });
});
