import { RunnerError } from './errors.ts';

// A provider that was told to stop ends its client within a few seconds.
const GRACE_MS = 15_000;

/** The events of a provider; one that does not stop when told to is left alone after a while. */
export async function* eventsOf<Event>(
  source: AsyncIterable<Event>,
  abort: AbortSignal,
  graceMs: number = GRACE_MS,
): AsyncGenerator<Event> {
  const iterator = source[Symbol.asyncIterator]();
  const stuck = stuckAfter(abort, graceMs);
  let waiting = false;
  try {
    for (;;) {
      waiting = true;
      const next = await Promise.race([iterator.next(), stuck.promise]);
      waiting = false;
      if (next.done === true) break;
      yield next.value;
    }
  } finally {
    stuck.clear();
    // Whoever reads the events may stop in the middle; the provider still has to clean up. One that is stuck cannot.
    if (!waiting) await iterator.return?.();
  }
  abort.throwIfAborted();
}

function stuckAfter(
  abort: AbortSignal,
  graceMs: number,
): { readonly promise: Promise<never>; readonly clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let start: (() => void) | undefined;
  const promise = new Promise<never>((_, reject) => {
    start = () => {
      timer = setTimeout(() => reject(new RunnerError('aborted', 'the provider did not stop when told to')), graceMs);
    };
    if (abort.aborted) start();
    else abort.addEventListener('abort', start, { once: true });
  });
  promise.catch(() => undefined);
  return {
    promise,
    clear() {
      clearTimeout(timer);
      if (start !== undefined) abort.removeEventListener('abort', start);
    },
  };
}
