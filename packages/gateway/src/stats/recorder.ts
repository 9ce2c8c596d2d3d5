import { addCalls, type CallsByServer, oneCall } from './calls.ts';
import type { CounterName, Counters, Counts } from './counters.ts';
import { appendCounts, compactCounts } from './file.ts';

/** Counters that are kept: what they counted is written a moment later, and at the end. */
export interface Recorder extends Counters {
  /** Counts one call of a server. */
  readonly called: (server: string, milliseconds: number, isError: boolean) => void;
  readonly close: () => Promise<void>;
}

const FLUSH_MS = 2000;

export function createRecorder(directory: string, now: () => number): Recorder {
  let counted: Partial<Record<CounterName, number>> = {};
  let calls: CallsByServer = {};
  let timer: NodeJS.Timeout | undefined;
  // A gateway that cannot count still has its work to do, so what fails here fails in silence.
  void compactCounts(directory, now()).catch(() => undefined);

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const counts: Partial<Counts> = counted;
    const made = calls;
    counted = {};
    calls = {};
    const isEmpty = Object.keys(counts).length + Object.keys(made).length === 0;
    if (!isEmpty) await appendCounts(directory, counts, made).catch(() => undefined);
  }

  function later(): void {
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  }

  return {
    add: (name, by = 1) => {
      counted[name] = (counted[name] ?? 0) + by;
      later();
    },
    called: (server, milliseconds, isError) => {
      calls = addCalls(calls, { [server]: oneCall(milliseconds, isError) });
      later();
    },
    close: flush,
  };
}
