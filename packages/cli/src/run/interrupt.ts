export interface Interrupt {
  readonly signal: AbortSignal;
  readonly clear: () => void;
}

/** Aborted by the first Ctrl-C or SIGTERM; a second one ends the process at once, as ever. */
export function listenForInterrupt(): Interrupt {
  const controller = new AbortController();
  const stop = (): void => {
    clear();
    controller.abort();
  };
  function clear(): void {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return { signal: controller.signal, clear };
}
