import type { RpcId } from '@jeeves/protocol';

export interface CallLimits {
  /** How many calls run at once. */
  readonly running: number;
  /** How many more wait; what comes then is told so. */
  readonly waiting: number;
}

export const CALL_LIMITS: CallLimits = { running: 16, waiting: 64 };

/** Does the work of one call. The signal is aborted when nobody wants the answer any more. */
export type Job = (signal: AbortSignal) => Promise<void>;

/** The calls of one connection: how many run, which wait, and which one a cancellation means. */
export interface Calls {
  /** Runs the job as soon as there is room. `busy` and `duplicate` mean that it never will. */
  readonly start: (id: RpcId, job: Job) => 'accepted' | 'busy' | 'duplicate';
  /** Aborts a call that is under way; an id that is unknown or done is left alone. */
  readonly cancel: (id: RpcId) => void;
  /** Aborts all of them, and every one that is started later. */
  readonly cancelAll: () => void;
  /** Resolves when none runs or waits. */
  readonly settled: () => Promise<void>;
}

interface Call {
  readonly id: RpcId;
  readonly job: Job;
  readonly controller: AbortController;
}

export function createCalls(limits: CallLimits = CALL_LIMITS): Calls {
  // Keyed by type and value: 1 and "1" are different requests.
  const open = new Map<RpcId, Call>();
  const waiting: Call[] = [];
  const idle: (() => void)[] = [];
  let running = 0;
  let closed = false;

  function start(id: RpcId, job: Job): 'accepted' | 'busy' | 'duplicate' {
    if (open.has(id)) return 'duplicate';
    if (closed || (running >= limits.running && waiting.length >= limits.waiting)) return 'busy';
    const call: Call = { id, job, controller: new AbortController() };
    open.set(id, call);
    if (running < limits.running) run(call);
    else waiting.push(call);
    return 'accepted';
  }

  function run(call: Call): void {
    running += 1;
    void call.job(call.controller.signal).finally(() => {
      running -= 1;
      // The id may be in use again by now.
      if (open.get(call.id) === call) open.delete(call.id);
      const next = waiting.shift();
      if (next !== undefined) run(next);
      else if (running === 0) for (const resolve of idle.splice(0)) resolve();
    });
  }

  function cancel(id: RpcId): void {
    const call = open.get(id);
    if (call === undefined) return;
    open.delete(id);
    const place = waiting.indexOf(call);
    if (place >= 0) waiting.splice(place, 1);
    call.controller.abort();
  }

  function cancelAll(): void {
    closed = true;
    // A map may lose entries while it is walked.
    for (const id of open.keys()) cancel(id);
  }

  function settled(): Promise<void> {
    return running === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve));
  }

  return { start, cancel, cancelAll, settled };
}
