import type { PruningErrorCode } from '@jeeves/protocol';

/** Why a pruner's answer cannot be used, in the three words the contract has for it. */
export class PrunerFailure extends Error {
  readonly code: PruningErrorCode;

  constructor(code: PruningErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'PrunerFailure';
    this.code = code;
  }
}

const CODES: Readonly<Record<string, PruningErrorCode>> = {
  timeout: 'timeout',
  http_error: 'http_error',
  invalid_response: 'invalid_response',
  // An address that must not be called is as good as one where nobody answers.
  config_error: 'http_error',
};

/** Any error of a pruner call as a failure. Told by shape: the engine's class is not loaded here. */
export function toFailure(error: unknown): PrunerFailure {
  if (error instanceof PrunerFailure) return error;
  const engineCode = error instanceof Error && error.name === 'EngineError' && 'code' in error ? error.code : undefined;
  const code = typeof engineCode === 'string' ? CODES[engineCode] : undefined;
  if (code !== undefined) return new PrunerFailure(code, (error as Error).message, error);
  // A message of unknown origin may quote the text, an address or a file: it is not passed on.
  const known = typeof engineCode === 'string' ? ` (${engineCode})` : '';
  return new PrunerFailure('invalid_response', `The pruner's answer could not be used${known}.`, error);
}
