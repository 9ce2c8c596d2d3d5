/** Why an upstream did not answer. */
export type FailureCode = 'spawn_failed' | 'exited' | 'timeout' | 'unusable_answer' | 'upstream_error' | 'backing_off';

/** An upstream's failure, in words that may be shown to an agent: they hold nothing that the server wrote to its log. */
export class UpstreamFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UpstreamFailure';
    this.code = code;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
