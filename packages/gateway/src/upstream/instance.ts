import type { Session } from './session.ts';

/** Why an instance was ended on purpose. */
export type StopReason = 'idle' | 'evicted' | 'unresponsive' | 'closed';

/** A running server, and who uses it. */
export interface Instance {
  readonly key: string;
  readonly session: Session;
  readonly busy: () => boolean;
  /** By the clock of `performance`. */
  readonly lastUsed: () => number;
  /** Whether it was called, and not only listed. */
  readonly wasCalled: () => boolean;
  readonly called: () => void;
  /** Counts the use until it is over; afterwards the instance may rest. */
  readonly use: <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>;
  /** No longer watched: it is about to end. */
  readonly forget: () => void;
}

export interface InstanceOptions {
  readonly key: string;
  readonly session: Session;
  /** How long it may rest; absent means for ever. */
  readonly idleMs: () => number | undefined;
  readonly onIdle: (instance: Instance) => void;
}

export function createInstance({ key, session, idleMs, onIdle }: InstanceOptions): Instance {
  let users = 0;
  let usedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  let wasCalled = false;

  function rest(): void {
    const after = idleMs();
    clearTimeout(timer);
    if (after !== undefined && !over) timer = setTimeout(onIdle, Math.min(after, MAX_TIMER), instance).unref();
  }

  const instance: Instance = {
    key,
    session,
    busy: () => users > 0,
    lastUsed: () => usedAt,
    wasCalled: () => wasCalled,
    called: () => {
      wasCalled = true;
    },
    use: async (work) => {
      users += 1;
      clearTimeout(timer);
      try {
        return await work(session);
      } finally {
        users -= 1;
        usedAt = performance.now();
        if (users === 0) rest();
      }
    },
    forget: () => {
      over = true;
      clearTimeout(timer);
    },
  };
  rest();
  return instance;
}

const MAX_TIMER = 2 ** 31 - 1;
