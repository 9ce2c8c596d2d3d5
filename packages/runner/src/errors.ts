/** What can be wrong before or around a run, as stable codes a caller may show. */
export type RunnerErrorCode =
  | 'sdk_missing'
  | 'provider_failed'
  | 'unknown_provider'
  | 'invalid_workflow'
  | 'invalid_script'
  | 'invalid_task'
  | 'aborted'
  | 'timeout';

/** An expected failure; the message says what to do about it. */
export class RunnerError extends Error {
  override readonly name = 'RunnerError';
  readonly code: RunnerErrorCode;

  constructor(code: RunnerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
