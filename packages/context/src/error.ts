export type ContextErrorCode = 'invalid_parameter' | 'confirmation_required' | 'snapshot_not_found';

/** Why a call as a whole was refused; nothing was changed then. What the store cannot do is an `EngineError`. */
export class ContextError extends Error {
  readonly code: ContextErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ContextErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'ContextError';
    this.code = code;
    this.details = details;
  }
}

/** Why one segment of a batch was passed over; the others were done. */
export interface Problem {
  readonly id: string;
  readonly code: 'not_found' | 'pinned' | 'not_active';
}
