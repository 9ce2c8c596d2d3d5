const PARENT_CHECK_MS = 2000;

/** Resolves at a signal, or at the death of the parent: one that dies hard may leave its pipes open in others. */
export function untilStopped(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    // Listening on, so that an impatient second signal does not cut the clean-up short.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve());
    setInterval(() => process.ppid === parent || resolve(), PARENT_CHECK_MS).unref();
  });
}

/** A defect outside of any request must not take the servers behind the gateway with it. */
export function onDefect(listener: (error: Error) => void): void {
  process.on('uncaughtException', listener);
}

export function onExit(listener: () => void): void {
  process.on('exit', listener);
}
