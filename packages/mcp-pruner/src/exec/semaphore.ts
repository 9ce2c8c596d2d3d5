/** Lets a limited number of holders in; the others wait in the order of their arrival. */
export interface Semaphore {
  /** Resolves with the function that gives the place back. Rejects with the reason of an abort while waiting. */
  acquire(signal: AbortSignal): Promise<() => void>;
}

export function createSemaphore(limit: number): Semaphore {
  let free = limit;
  const waiting = new Set<() => void>();

  function release(): void {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  }

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        waiting.delete(enter);
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(enter);
        reject(signal.reason as Error);
      };
      waiting.add(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else await wait(signal);
      return once(release);
    },
  };
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}
