import { RunnerError } from './errors.ts';

/** Tells a provider to stop, and whoever asks why. */
export interface StopSignal {
  readonly signal: AbortSignal;
  readonly reason: () => 'cancelled' | 'timed_out' | undefined;
  readonly clear: () => void;
}

interface StopOptions {
  readonly abort?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

// A longer one would go off at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Aborted when the caller stops the run, or when its time is up. */
export function stopSignal({ abort, timeoutMs }: StopOptions): StopSignal {
  const controller = new AbortController();
  let reason: 'cancelled' | 'timed_out' | undefined;
  const stop = (why: 'cancelled' | 'timed_out'): void => {
    reason ??= why;
    const message = why === 'cancelled' ? 'the run was cancelled' : `the run took longer than ${timeoutMs} ms`;
    controller.abort(new RunnerError(why === 'cancelled' ? 'aborted' : 'timeout', message));
  };
  const cancel = (): void => stop('cancelled');
  if (abort?.aborted === true) cancel();
  abort?.addEventListener('abort', cancel);
  const late =
    timeoutMs === undefined ? undefined : setTimeout(() => stop('timed_out'), Math.min(timeoutMs, LONGEST_TIMER_MS));
  return {
    signal: controller.signal,
    reason: () => reason,
    clear() {
      clearTimeout(late);
      abort?.removeEventListener('abort', cancel);
    },
  };
}
