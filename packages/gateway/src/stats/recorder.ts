import type { CounterName, Counters, Counts } from './counters.ts';
import { appendCounts, compactCounts } from './file.ts';

/** Counters that are kept: what they counted is written a moment later, and at the end. */
export interface Recorder extends Counters {
  readonly close: () => Promise<void>;
}

const FLUSH_MS = 2000;

export function createRecorder(directory: string, now: () => number): Recorder {
  let counted: Partial<Record<CounterName, number>> = {};
  let timer: NodeJS.Timeout | undefined;
  // A gateway that cannot count still has its work to do, so what fails here fails in silence.
  void compactCounts(directory, now()).catch(() => undefined);

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const counts: Partial<Counts> = counted;
    counted = {};
    if (Object.keys(counts).length > 0) await appendCounts(directory, counts).catch(() => undefined);
  }

  return {
    add: (name, by = 1) => {
      counted[name] = (counted[name] ?? 0) + by;
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    close: flush,
  };
}
