/** Why the engine could not do what was asked. Stable: callers and the wire map on these. */
export type EngineErrorCode =
  | 'timeout'
  | 'http_error'
  | 'invalid_response'
  | 'config_error'
  | 'prune_id_not_found'
  | 'invalid_range'
  | 'recovery_unavailable'
  | 'store_failed';

/** The one error class of the engine: a stable code, a sentence for a person, and facts for a program. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    code: EngineErrorCode,
    message: string,
    details: { data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.name = 'EngineError';
    this.code = code;
    this.data = details.data ?? {};
  }
}
