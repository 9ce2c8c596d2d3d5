import {
  BASH,
  HTTP_ERRORS,
  httpError,
  INITIALIZE_PARAMS,
  invalidParams,
  LOG_LINE,
  PRUNING_METADATA,
  READ,
  RPC_ERRORS,
  readRpcMessage,
  SCHEMA_VERSION,
  SWE_PRUNE_REQUEST,
  TOOLS_CALL_PARAMS,
  TOOLS_LIST_PARAMS,
  unknownTool,
} from '@jeeves/protocol';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';

/** What a schema has against a value. The type leaves out what no test needs. */
interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: unknown };
}

function refusal(schema: Schema, value: unknown): Parameters<typeof invalidParams>[2] {
  const { error } = schema.safeParse(value);
  expect(error).toBeDefined();
  return error as Parameters<typeof invalidParams>[2];
}

function accepts(schema: Schema, value: unknown): boolean {
  return schema.safeParse(value).success;
}

describe('invalid params', () => {
  verifies(
    ['protocol.invalid-params.shape', 'protocol.invalid-params.issues', 'protocol.invalid-params.codes'],
    'are told by schema version, method, tool and issues',
    () => {
      const args = { file_path: 7, encoding: 'latin1', max_output_bytes: 1, surprise: true };
      expect(invalidParams('tools/call', 'read', refusal(READ.input, args), 'arguments')).toEqual({
        code: -32602,
        message: 'Invalid params',
        data: {
          jeeves: { schemaVersion: 1 },
          method: 'tools/call',
          tool: 'read',
          issues: [
            { path: 'arguments', code: 'unrecognized_keys', message: 'unrecognized_keys' },
            { path: 'arguments.encoding', code: 'invalid_value', message: 'invalid_value' },
            { path: 'arguments.file_path', code: 'invalid_type', message: 'invalid_type' },
            { path: 'arguments.max_output_bytes', code: 'too_small', message: 'too_small' },
          ],
        },
      });
      const root = invalidParams('tools/call', undefined, refusal(TOOLS_CALL_PARAMS, 'x'));
      expect(root.data.issues).toEqual([{ path: '', code: 'invalid_type', message: 'invalid_type' }]);
    },
  );

  verifies('protocol.invalid-params.sorted', 'come sorted by path, then code', () => {
    const args = { command: '', cwd: '', timeout_ms: 1.5, env: { b: 'x', a: 'x' }, zz: 1 };
    const { issues } = invalidParams('tools/call', 'bash', refusal(BASH.input, args), 'arguments').data;
    const keys = issues.map(({ path, code }) => `${path} ${code}`);
    expect(keys.length).toBeGreaterThan(5);
    expect(keys).toEqual(keys.toSorted());
  });

  verifies('protocol.invalid-params.tool-optional', 'name the tool only when the call does', () => {
    const { data } = invalidParams('initialize', undefined, refusal(INITIALIZE_PARAMS, {}));
    expect(Object.keys(data).sort()).toEqual(['issues', 'jeeves', 'method']);
  });

  verifies('protocol.tools.unknown', 'of an unknown tool name it', () => {
    const { code, data } = unknownTool('no_such_tool');
    expect(code).toBe(-32602);
    expect(data).toMatchObject({ method: 'tools/call', tool: 'no_such_tool', issues: [{ path: 'name' }] });
  });
});

describe('messages', () => {
  const INVALID = [
    [[], null],
    [[{ jsonrpc: '2.0', id: 1, method: 'a' }], null],
    ['x', null],
    [null, null],
    [{}, null],
    [{ jsonrpc: '1.0', id: 7, method: 'a' }, 7],
    [{ id: 7, method: 'a' }, 7],
    [{ jsonrpc: '2.0', id: 7 }, 7],
    [{ jsonrpc: '2.0', id: 'x', method: 3 }, 'x'],
    [{ jsonrpc: '2.0', id: null, method: 'a' }, null],
    [{ jsonrpc: '2.0', id: true, method: 'a' }, null],
    [{ jsonrpc: '2.0', id: {}, method: 'a' }, null],
    [{ jsonrpc: '2.0', id: 1.5, method: 'a' }, null],
  ] as const;
  for (const [message, id] of INVALID) {
    verifies('protocol.rpc.invalid-request', `${JSON.stringify(message)} is no request`, () => {
      expect(readRpcMessage(message)).toEqual({ kind: 'invalid', id });
    });
  }

  verifies('protocol.rpc.invalid-request', 'ids may be any string or integer, 0 among them', () => {
    for (const id of [0, -1, 7, '', 'x']) {
      expect(readRpcMessage({ jsonrpc: '2.0', id, method: 'a' })).toMatchObject({ kind: 'request', message: { id } });
    }
    expect(readRpcMessage({ jsonrpc: '2.0', method: 'a' }).kind).toBe('notification');
  });

  verifies('protocol.rpc.numbers', 'errors have JSON-RPC’s numbers', () => {
    const { parse_error, invalid_request, method_not_found, invalid_params, internal_error } = RPC_ERRORS;
    const rows = [parse_error, invalid_request, method_not_found, invalid_params, internal_error];
    expect(rows.map(({ number }) => number)).toEqual([-32700, -32600, -32601, -32602, -32603]);
  });

  verifies('protocol.initialize.params', 'initialize needs a version only', () => {
    const version = { protocolVersion: '2025-11-25' };
    const good = [version, { ...version, clientInfo: { name: 'x' } }, { ...version, capabilities: {}, later: 1 }];
    const bad = [{}, undefined, { protocolVersion: 7 }, { protocolVersion: '' }, { ...version, clientInfo: 'x' }];
    expect(good.map((params) => accepts(INITIALIZE_PARAMS, params))).toEqual([true, true, true]);
    expect(bad.map((params) => accepts(INITIALIZE_PARAMS, params))).toEqual([false, false, false, false, false]);
  });

  verifies('protocol.tools-call.params', 'tools/call needs a name, and arguments are an object', () => {
    const good = [{ name: 'read', arguments: {} }, { name: 'read' }];
    const bad = [{}, { name: '' }, { name: 7 }, { name: 'read', arguments: [] }, { name: 'read', arguments: 'x' }];
    expect(good.map((params) => accepts(TOOLS_CALL_PARAMS, params))).toEqual([true, true]);
    expect(bad.map((params) => accepts(TOOLS_CALL_PARAMS, params))).toEqual([false, false, false, false, false]);
  });

  verifies('protocol.tools-list.params', 'tools/list takes an empty object', () => {
    expect([{}, { _meta: {} }, 'x', 7].map((params) => accepts(TOOLS_LIST_PARAMS, params))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  verifies('protocol.schema-version', 'the schema version is 1', () => {
    expect(SCHEMA_VERSION).toBe(1);
  });
});

describe('bodies', () => {
  verifies('protocol.http.error-shape', 'an HTTP error has its code’s status and the one shape', () => {
    expect(httpError('method_not_allowed', 'use POST')).toEqual({
      status: 405,
      body: { ok: false, error: { code: 'method_not_allowed', message: 'use POST' } },
    });
    const { body } = httpError('busy', 'later', { waiting: 64 });
    expect(body.error).toEqual({ code: 'busy', message: 'later', details: { waiting: 64 } });
  });

  verifies('protocol.http.statuses', 'each refusal has its status', () => {
    const statuses = Object.entries(HTTP_ERRORS).map(([code, { status }]) => [code, status] as const);
    expect(Object.fromEntries(statuses)).toMatchObject({
      forbidden: 403,
      method_not_allowed: 405,
      unsupported_media_type: 415,
      unauthorized: 401,
      payload_too_large: 413,
      busy: 503,
      internal_error: 500,
    });
  });

  verifies('protocol.swe.request-schema', 'query and code suffice to ask a pruning service', () => {
    expect(SWE_PRUNE_REQUEST.parse({ query: 'q', code: 'c' })).toEqual({
      query: 'q',
      code: 'c',
      threshold: 0.5,
      always_keep_first_frags: false,
      chunk_overlap_tokens: 50,
    });
    expect(
      [{ query: 'q' }, { code: 'c' }, { query: 1, code: 'c' }].map((body) => accepts(SWE_PRUNE_REQUEST, body)),
    ).toEqual([false, false, false]);
  });

  const METADATA = { attempted: false, applied: false, fallback: false, raw_bytes: 0 };

  verifies('protocol.pruning.shape', 'pruning metadata has four fields and its optional ones', () => {
    const full = {
      ...METADATA,
      reason: 'pruner_error',
      pruned_bytes: 1,
      pruner_duration_ms: 2,
      error: { code: 'timeout', message: 'slow' },
    };
    expect(PRUNING_METADATA.parse(full)).toEqual(full);
    for (const field of Object.keys(METADATA)) {
      expect(accepts(PRUNING_METADATA, { ...METADATA, [field]: undefined })).toBe(false);
    }
  });

  verifies('protocol.pruning.reasons', 'reasons and errors are closed lists', () => {
    const reasons = ['disabled_or_unconfigured', 'no_focus_question', 'too_large', 'output_empty', 'pruner_error'];
    const others = ['no_question', 'input_too_large', ''];
    expect(reasons.every((reason) => accepts(PRUNING_METADATA, { ...METADATA, reason }))).toBe(true);
    expect(others.some((reason) => accepts(PRUNING_METADATA, { ...METADATA, reason }))).toBe(false);
    const codes = ['timeout', 'http_error', 'invalid_response', 'config_error'];
    expect(codes.map((code) => accepts(PRUNING_METADATA, { ...METADATA, error: { code, message: 'x' } }))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  verifies('protocol.unknown-fields-ignored', 'a reader takes no offence at later fields', () => {
    expect(accepts(PRUNING_METADATA, { ...METADATA, later: 1 })).toBe(true);
    expect(accepts(LOG_LINE, { ts: '2026-01-01T00:00:00.000Z', level: 'info', event: 'later.event', later: 1 })).toBe(
      true,
    );
  });
});
