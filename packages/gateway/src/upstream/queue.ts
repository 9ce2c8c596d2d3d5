import { type Patience, waitFor } from './wait.ts';

/** Lets one through at a time, in the order they came. */
export interface Queue {
  /** Resolves when it is one's turn; whoever gets it must call what it resolves to. */
  readonly enter: (patience: Patience) => Promise<() => void>;
}

export function createQueue(): Queue {
  let last: Promise<void> = Promise.resolve();
  return {
    enter: async (patience) => {
      const before = last;
      let leave: (() => void) | undefined;
      last = new Promise((resolve) => {
        leave = resolve;
      });
      try {
        await waitFor(before, patience, 'was busy with other calls until the time was over');
        return () => leave?.();
      } catch (error) {
        // Whoever comes after still waits for those before.
        void before.then(leave);
        throw error;
      }
    },
  };
}
