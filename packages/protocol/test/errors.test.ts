import {
  CONTEXT_ERRORS,
  HTTP_ERRORS,
  httpError,
  RPC_ERRORS,
  rpcError,
  SEGMENT_PROBLEMS,
  TOOL_ERRORS,
} from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';

describe('error codes', () => {
  it('of JSON-RPC have these numbers and messages', () => {
    expect(Object.entries(RPC_ERRORS).map(([code, e]) => [code, e.number, e.message, e.named])).toEqual([
      ['parse_error', -32700, 'Parse error', false],
      ['invalid_request', -32600, 'Invalid Request', false],
      ['message_too_large', -32600, 'Invalid Request', true],
      ['method_not_found', -32601, 'Method not found', false],
      ['invalid_params', -32602, 'Invalid params', false],
      ['internal_error', -32603, 'Internal error', false],
      ['busy', -32603, 'busy', true],
      ['recovery_unavailable', -32603, 'recovery_unavailable', true],
      ['prune_id_not_found', -32004, 'prune_id_not_found', true],
      ['invalid_range', -32005, 'invalid_range', true],
      ['header_mismatch', -32020, 'Header mismatch', false],
      ['unsupported_protocol_version', -32022, 'Unsupported protocol version', false],
    ]);
  });

  it('of tools belong to these tools', () => {
    expect(Object.entries(TOOL_ERRORS).map(([code, e]) => [code].concat(e.tools))).toEqual([
      ['not_found', 'read'],
      ['permission_denied', 'read'],
      ['invalid_path', 'read', 'grep'],
      ['io_error', 'read'],
      ['invalid_cwd', 'bash'],
      ['spawn_error', 'bash', 'grep'],
      ['nonzero_exit', 'bash'],
      ['timeout', 'bash', 'grep'],
      ['rg_error', 'grep'],
    ]);
  });

  it('of context tools are these', () => {
    expect(Object.keys(CONTEXT_ERRORS)).toEqual([
      'INVALID_PARAMETER',
      'CONFIRMATION_REQUIRED',
      'SNAPSHOT_NOT_FOUND',
      'STORAGE_ERROR',
      'INTERNAL_ERROR',
    ]);
    expect(Object.keys(SEGMENT_PROBLEMS)).toEqual(['SEGMENT_NOT_FOUND', 'SEGMENT_PINNED', 'SEGMENT_NOT_ACTIVE']);
  });

  it('of HTTP have these statuses', () => {
    expect(Object.entries(HTTP_ERRORS).map(([code, e]) => [code, e.status])).toEqual([
      ['bad_request', 400],
      ['headers_too_large', 431],
      ['forbidden', 403],
      ['not_found', 404],
      ['method_not_allowed', 405],
      ['unsupported_media_type', 415],
      ['unauthorized', 401],
      ['payload_too_large', 413],
      ['request_timeout', 408],
      ['busy', 503],
      ['not_acceptable', 406],
      ['invalid_body', 422],
      ['internal_error', 500],
    ]);
  });
});

describe('rpcError', () => {
  it('has no data where the number tells all', () => {
    expect(rpcError('parse_error')).toEqual({ code: -32700, message: 'Parse error' });
    expect(rpcError('method_not_found')).not.toHaveProperty('data');
  });

  it('names an unknown prune id as seed 002 §8.2 does', () => {
    expect(rpcError('prune_id_not_found', { prune_id: 'prn_1' })).toEqual({
      code: -32004,
      message: 'prune_id_not_found',
      data: { code: 'prune_id_not_found', prune_id: 'prn_1' },
    });
  });

  it('tells apart errors that share a number', () => {
    expect(rpcError('busy')).toEqual({ code: -32603, message: 'busy', data: { code: 'busy' } });
    expect(rpcError('recovery_unavailable').data).toEqual({ code: 'recovery_unavailable' });
    expect(rpcError('invalid_range', { max_line: 7 }).data).toEqual({ code: 'invalid_range', max_line: 7 });
  });

  it('keeps facts of an unnamed error', () => {
    expect(rpcError('internal_error', { request_id: 'r1' })).toEqual({
      code: -32603,
      message: 'Internal error',
      data: { request_id: 'r1' },
    });
  });
});

describe('httpError', () => {
  it('gives status and body together', () => {
    expect(httpError('unsupported_media_type', 'send application/json')).toEqual({
      status: 415,
      body: { ok: false, error: { code: 'unsupported_media_type', message: 'send application/json' } },
    });
  });

  it('adds details only when there are some', () => {
    expect(httpError('busy', 'later', { retry_after_s: 1 }).body.error.details).toEqual({ retry_after_s: 1 });
    expect(httpError('busy', 'later').body.error).not.toHaveProperty('details');
  });
});
