import { EngineError } from '@jeeves/engine';
import { ForeignDatabaseError } from './schema.ts';

interface Advice {
  readonly matches: (message: string) => boolean;
  readonly advice: string;
}

const MOVE_AWAY = 'Move the file away, and a new one is made, or choose another path for the store.';

/** What a person can do, by what the error says: it has no code. */
const ADVICE: readonly Advice[] = [
  { matches: has('not a database', 'malformed', 'corrupt', 'EISDIR'), advice: MOVE_AWAY },
  {
    matches: has('ENOSPC', 'EDQUOT', 'EFBIG', 'disk is full', 'disk I/O error'),
    advice: 'Look at the space on its disk; what was kept before is still there.',
  },
  {
    matches: has('EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'readonly', 'unable to open', 'Could not open'),
    advice: 'Make its directory writable for this user, or choose another path for the store.',
  },
];

/** The one error of the store for whatever went wrong below it, naming the file and what to do. */
export function storeFailure(path: string, cause: unknown): EngineError {
  if (cause instanceof EngineError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  const foreign = cause instanceof ForeignDatabaseError;
  const advice = foreign ? MOVE_AWAY : ADVICE.find(({ matches }) => matches(message))?.advice;
  const sentence = `The store ${path} cannot be used: ${message}.`;
  return new EngineError('store_failed', advice === undefined ? sentence : `${sentence} ${advice}`, {
    data: { path },
    cause,
  });
}

export function lockedTooLong(path: string, waitedMs: number, owners: readonly string[]): EngineError {
  const pids = owners.map((owner) => owner.split('.')[0]).join(', ');
  const who = pids === '' ? 'another process' : `process ${pids}`;
  return new EngineError(
    'store_failed',
    `The store ${path} stayed locked by ${who} for ${waitedMs} ms. Stop that process, or choose another path for the store.`,
    { data: { path, waitedMs } },
  );
}

/** True when a program outside of our lock, such as a database viewer, has the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message.includes('database is locked');
}

function has(...parts: readonly string[]): (message: string) => boolean {
  return (message) => parts.some((part) => message.includes(part));
}
