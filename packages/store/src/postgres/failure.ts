import { EngineError } from '@jeeves/engine';
import type { Location } from './location.ts';

/** What a person can do, by the code of the server or of the system. */
const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Start the server, or correct host and port in the URL of the store.',
  ENOTFOUND: 'Correct the host in the URL of the store.',
  EAI_AGAIN: 'Look at the host in the URL of the store, and at the name service.',
  ETIMEDOUT: 'Look whether the server can be reached.',
  '28P01': 'Correct user and password in the URL of the store.',
  '28000': 'Correct user and password in the URL of the store.',
  '3D000': 'Create the database, or correct its name in the URL of the store.',
  '42501': 'Give the user the right to create a schema in the database, or create the schema for it.',
  '53100': 'Look at the space on the disk of the server; what was kept before is still there.',
  '25006': 'The server takes no writes: connect to the primary.',
  '57014': 'The server took too long; look at its load.',
};

/** Codes of a connection or server that is going or gone, and may be back soon. */
const PASSING = new Set(
  '57P01 57P02 57P03 08000 08001 08003 08004 08006 53300 ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT'.split(' '),
);

/** Two transactions in each other's way: one of them simply runs again. */
const COLLISIONS = new Set(['40001', '40P01']);

/** The one error of the store for whatever went wrong below it. No password is in it, nor anything that holds one. */
export function storeFailure({ shown, hide }: Location, cause: unknown): EngineError {
  if (cause instanceof EngineError) return cause;
  const code = codeOf(cause);
  const message = hide(cause instanceof Error && cause.message !== '' ? cause.message : (code ?? 'unknown error'));
  const advice = ADVICE[code ?? ''];
  const sentence = `The store ${shown} cannot be used: ${message}.`;
  return new EngineError('store_failed', advice === undefined ? sentence : `${sentence} ${advice}`, {
    data: { store: shown, ...(code === undefined ? {} : { code }) },
  });
}

export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return PASSING.has(code);
  // The client library's own errors have no codes.
  return error instanceof Error && /Connection terminated|timeout exceeded when trying to connect/.test(error.message);
}

export function isCollision(error: unknown): boolean {
  return COLLISIONS.has(codeOf(error) ?? '');
}

/** An attempt over several addresses fails with an error that only collects the others. */
function codeOf(error: unknown): string | undefined {
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  return Array.isArray(errors) && errors.length > 0 ? codeOf(errors[0]) : undefined;
}
