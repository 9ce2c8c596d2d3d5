import type { Instance, StopReason } from './instance.ts';

/** Remembers whose instance was stopped after it had been called, until the next caller was told. */
export interface Lost {
  readonly stopped: (instance: Instance, reason: StopReason) => void;
  /** Why the instance before this one was stopped, for whoever calls this one first. */
  readonly take: (instance: Instance) => StopReason | undefined;
}

/** Keys are chosen by agents: no more of them are remembered than anybody may still ask for. */
const MAX_KEYS = 1000;

export function createLost(): Lost {
  const reasons = new Map<string, StopReason>();
  return {
    stopped: (instance, reason) => {
      if (!instance.wasCalled()) return;
      reasons.set(instance.key, reason);
      const [oldest] = reasons.keys();
      if (reasons.size > MAX_KEYS && oldest !== undefined) reasons.delete(oldest);
    },
    take: ({ key, called }) => {
      called();
      const reason = reasons.get(key);
      reasons.delete(key);
      return reason;
    },
  };
}
