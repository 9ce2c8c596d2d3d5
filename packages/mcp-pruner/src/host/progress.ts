/** The client's name for a request whose progress it wants to hear of. */
export type ProgressToken = string | number;

export interface Progress {
  readonly report: (message: string) => void;
  /** Nothing is sent after this. */
  readonly stop: () => void;
}

const MIN_INTERVAL_MS = 1000;
// Clients give up on a silent request after a minute; some count from the last sign of life.
const HEARTBEAT_MS = 10_000;

const SILENT: Progress = { report: () => undefined, stop: () => undefined };

/** Tells a client that asked for it that its request is alive: ever larger numbers, at most one message a second. */
export function createProgress(
  token: ProgressToken | undefined,
  send: (line: string) => void,
  now: () => number,
): Progress {
  if (token === undefined) return SILENT;
  let progress = 0;
  let last = Number.NEGATIVE_INFINITY;
  let stopped = false;
  function report(message: string): void {
    if (stopped || now() - last < MIN_INTERVAL_MS) return;
    last = now();
    progress += 1;
    const params = { progressToken: token, progress, message };
    send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }));
  }
  const heartbeat = setInterval(() => report('still running'), HEARTBEAT_MS).unref();
  return {
    report,
    stop: () => {
      stopped = true;
      clearInterval(heartbeat);
    },
  };
}
