import { type Context, createContext, Script } from 'node:vm';

/** The work did not end in time and was interrupted. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/**
 * Runs work that must not take longer than `milliseconds`, and interrupts it if it does, even inside a regular
 * expression. It stays in this thread: a thread of its own would cost more than nearly every piece of work.
 */
export function withinTime<Result>(milliseconds: number, work: () => Result): Result {
  scope ??= createContext({});
  let result: { readonly value: Result } | undefined;
  scope['run'] = (): void => {
    result = { value: work() };
  };
  try {
    CALL.runInContext(scope, { timeout: milliseconds });
  } catch (cause) {
    if (isTimeout(cause)) {
      throw new OutOfTime(`longer than ${milliseconds} ms`);
    }
    throw cause;
  } finally {
    scope['run'] = undefined;
  }
  if (result === undefined) throw new OutOfTime('the work did not run');
  return result.value;
}

/** The error belongs to the other scope, so it is no `Error` of this one. */
function isTimeout(cause: unknown): boolean {
  return (
    typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

const CALL = new Script('run()');
// Made once, since it costs more than most work. Work never starts other work, so one is enough.
let scope: Context | undefined;
