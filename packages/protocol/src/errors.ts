import type { RpcErrorObject } from './rpc.ts';

/** Errors that a JSON-RPC reply carries. Where `named`, `error.data.code` repeats the name, as the number does not tell. */
export const RPC_ERRORS = {
  parse_error: {
    number: -32700,
    message: 'Parse error',
    named: false,
    meaning: 'The message is not JSON. `id` is null; the connection stays usable.',
  },
  invalid_request: {
    number: -32600,
    message: 'Invalid Request',
    named: false,
    meaning: 'JSON, but not one request: a batch, a wrong `jsonrpc`, an unusable `id`.',
  },
  message_too_large: {
    number: -32600,
    message: 'Invalid Request',
    named: true,
    meaning: 'The message exceeds 16 MiB. It was skipped; the next one is read.',
  },
  method_not_found: {
    number: -32601,
    message: 'Method not found',
    named: false,
    meaning: 'The server has no such method.',
  },
  invalid_params: {
    number: -32602,
    message: 'Invalid params',
    named: false,
    meaning: 'Parameters or arguments break their schema, or the tool is unknown; `data.issues` says where.',
  },
  internal_error: {
    number: -32603,
    message: 'Internal error',
    named: false,
    meaning: 'A defect of the server. It was logged with the request id; the server goes on.',
  },
  busy: {
    number: -32603,
    message: 'busy',
    named: true,
    meaning: 'Too many requests wait already. Try again later.',
  },
  recovery_unavailable: {
    number: -32603,
    message: 'recovery_unavailable',
    named: true,
    meaning: 'The prune id is known, but its text cannot be read now.',
  },
  prune_id_not_found: {
    number: -32004,
    message: 'prune_id_not_found',
    named: true,
    meaning: 'The prune id (`data.prune_id`) is unknown, expired or evicted: produce the output again.',
  },
  invalid_range: {
    number: -32005,
    message: 'invalid_range',
    named: true,
    meaning:
      'A range starts below 1, after its own end, or past the last line (`data.max_line`), or all ranges together have more than `data.max_chars` characters.',
  },
  header_mismatch: {
    number: -32020,
    message: 'Header mismatch',
    named: false,
    meaning: 'A header of an HTTP request is missing or says something else than the body; `data.header` names it.',
  },
  unsupported_protocol_version: {
    number: -32022,
    message: 'Unsupported protocol version',
    named: false,
    meaning: 'The server does not speak this revision of MCP; `data.supported` lists those it does.',
  },
} as const;

/** Errors that `read`, `bash` and `grep` report in their result, with `isError: true`. */
export const TOOL_ERRORS = {
  not_found: { tools: ['read'], meaning: 'There is no such file.' },
  permission_denied: { tools: ['read'], meaning: 'The server may not read the file.' },
  invalid_path: {
    tools: ['read', 'grep'],
    meaning: 'The path leaves the root or is not a regular file; for `grep` also: it does not exist.',
  },
  io_error: { tools: ['read'], meaning: 'Reading failed for another reason.' },
  invalid_cwd: {
    tools: ['bash'],
    meaning: 'The working directory leaves the root, does not exist or is not a directory.',
  },
  spawn_error: {
    tools: ['bash', 'grep'],
    meaning: 'The program could not be started; for `grep`: neither `rg` nor `grep` is there.',
  },
  nonzero_exit: {
    tools: ['bash'],
    meaning: 'The command failed. `exit_code`, `stdout` and `stderr` are in the result.',
  },
  timeout: {
    tools: ['bash', 'grep'],
    meaning: '`timeout_ms` passed, waiting for a free shell included; everything the command started was killed.',
  },
  rg_error: { tools: ['grep'], meaning: 'The search itself failed, as with a malformed pattern.' },
} as const;

/** Errors of a context tool as a whole; problems of single segments are listed in its `errors`. */
export const CONTEXT_ERRORS = {
  INVALID_PARAMETER: 'The arguments fit the schema but not each other or the state, as with no task to snapshot.',
  CONFIRMATION_REQUIRED: 'Deleting needs `confirm: true`.',
  SNAPSHOT_NOT_FOUND: 'The project has no snapshot with this id.',
  STORAGE_ERROR: 'The store cannot be read or written now. Nothing was changed.',
  INTERNAL_ERROR: 'A defect of the server. Nothing was changed.',
} as const;

/** Why one segment of a batch was passed over; the others were done. */
export const SEGMENT_PROBLEMS = {
  SEGMENT_NOT_FOUND: 'The project has no segment with this id.',
  SEGMENT_PINNED: 'The segment is pinned and stays.',
  SEGMENT_NOT_ACTIVE: 'The segment is not in the working set.',
} as const;

/** Errors of an HTTP request, in the order in which a request is checked. */
export const HTTP_ERRORS = {
  bad_request: { status: 400, meaning: 'The request is not HTTP that can be read, or lacks the session it was given.' },
  headers_too_large: { status: 431, meaning: 'The headers are too many or too long.' },
  forbidden: { status: 403, meaning: '`Host` or `Origin` is not one this server answers to.' },
  not_found: { status: 404, meaning: 'There is no such route.' },
  method_not_allowed: { status: 405, meaning: 'The route does not take this verb.' },
  unsupported_media_type: { status: 415, meaning: 'The body is not declared as `application/json`.' },
  unauthorized: { status: 401, meaning: 'A bearer token is needed and was absent or wrong.' },
  payload_too_large: { status: 413, meaning: 'The body exceeds 16 MiB.' },
  request_timeout: { status: 408, meaning: 'The request did not arrive in time.' },
  busy: { status: 503, meaning: 'Too many requests wait already; `Retry-After` says when to try again.' },
  not_acceptable: { status: 406, meaning: 'The caller accepts no form that the reply may have.' },
  invalid_body: { status: 422, meaning: 'The body of `POST /prune` breaks its schema.' },
  internal_error: { status: 500, meaning: 'A defect of the server.' },
} as const;

export type RpcErrorCode = keyof typeof RPC_ERRORS;
export type ToolErrorCode = keyof typeof TOOL_ERRORS;
/** The codes that one of the three tools can report. */
export type ToolErrorCodeOf<Tool extends 'read' | 'bash' | 'grep'> = {
  [Code in ToolErrorCode]: Tool extends (typeof TOOL_ERRORS)[Code]['tools'][number] ? Code : never;
}[ToolErrorCode];
export type ContextErrorCode = keyof typeof CONTEXT_ERRORS;
export type SegmentProblemCode = keyof typeof SEGMENT_PROBLEMS;
export type HttpErrorCode = keyof typeof HTTP_ERRORS;

/** The `error` member of a reply. `facts` are added to `data`, after the name where the table asks for it. */
export function rpcError(code: RpcErrorCode, facts: Readonly<Record<string, unknown>> = {}): RpcErrorObject {
  const { number, message, named } = RPC_ERRORS[code];
  const data = named ? { code, ...facts } : facts;
  return Object.keys(data).length === 0 ? { code: number, message } : { code: number, message, data };
}
