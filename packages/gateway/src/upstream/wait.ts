import { UpstreamFailure } from './failure.ts';

/** How long somebody waits, and who may call it off. */
export interface Patience {
  /** By the clock of `performance`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** The promise's value, unless time or patience ends before. What was waited for goes on for others. */
export async function waitFor<Value>(
  promise: Promise<Value>,
  { deadline, signal }: Patience,
  late: string,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UpstreamFailure('timeout', late)), Math.max(0, deadline - performance.now()));
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
  });
  if (signal.aborted) abort?.();
  try {
    return await Promise.race([promise, givenUp]);
  } finally {
    clearTimeout(timer);
    if (abort !== undefined) signal.removeEventListener('abort', abort);
  }
}
