import { UpstreamFailure } from './failure.ts';

export interface RequestOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Asks the server to tell how far it is. */
  readonly progress?: ((message: string) => void) | undefined;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly progress: RequestOptions['progress'];
}

/** The requests that wait for their answer. */
export interface Pending {
  /** `gaveUp` is told when the time is over or nobody waits any more, before the promise rejects. */
  readonly add: (id: number, options: RequestOptions, gaveUp: (why: string) => void) => Promise<unknown>;
  readonly resolve: (id: number, result: unknown) => void;
  readonly reject: (id: number, error: unknown) => void;
  readonly rejectAll: (error: unknown) => void;
  readonly progress: (id: number, message: string) => void;
}

export function createPending(): Pending {
  const waiting = new Map<number, Waiting>();

  function add(id: number, options: RequestOptions, gaveUp: (why: string) => void): Promise<unknown> {
    const { timeoutMs, signal, progress } = options;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        waiting.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const giveUp = (why: string, error: unknown): void => {
        end();
        gaveUp(why);
        reject(error);
      };
      const abort = (): void => giveUp('the caller went away', signal?.reason);
      const late = new UpstreamFailure('timeout', `did not answer within ${Math.round(timeoutMs)} ms`);
      const timer = setTimeout(giveUp, timeoutMs, 'the time is over', late);
      signal?.addEventListener('abort', abort, { once: true });
      const settle = <Value>(with_: (value: Value) => void): ((value: Value) => void) => {
        return (value) => {
          end();
          with_(value);
        };
      };
      waiting.set(id, { resolve: settle(resolve), reject: settle(reject), progress });
    });
  }

  return {
    add,
    resolve: (id, result) => waiting.get(id)?.resolve(result),
    reject: (id, error) => waiting.get(id)?.reject(error),
    rejectAll: (error) => {
      for (const { reject } of waiting.values()) reject(error);
    },
    progress: (id, message) => waiting.get(id)?.progress?.(message),
  };
}
