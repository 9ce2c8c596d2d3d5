import { createCapture, shareCap } from './capture.ts';
import { type RunEnd, run } from './run.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';
import { createSpool } from './spool.ts';

export { ProcessError } from './launch.ts';

/** What to run. The child gets its own process group and no stdin. */
export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The program that makes the pipes of the command; null to do without. */
  readonly mkfifo: string | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface CappedRequest extends ProcessRequest {
  /** Most bytes of UTF-8 kept of stdout and stderr together; what comes after is read and dropped. */
  readonly maxOutputBytes: number;
}

/** How a command ended; the exit code is null when a signal ended it. */
export interface ProcessEnd extends RunEnd {
  readonly truncated: boolean;
  readonly durationMs: number;
}

export interface ProcessResult extends ProcessEnd {
  readonly stdout: string;
  readonly stderr: string;
}

/** The same as bytes of UTF-8: large outputs are never in memory twice. */
export interface CapturedResult extends ProcessEnd {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** The time limit passed before there was a place for the command. */
export class WaitError extends Error {
  readonly code = 'timeout';

  constructor(timeoutMs: number) {
    super(`waited ${timeoutMs} ms for a free shell: too many commands run at once`);
    this.name = 'WaitError';
  }
}

/** The places for commands of one server process. */
export const PROCESS_SLOTS: Semaphore = createSemaphore(8);

/**
 * Runs a command and returns what it wrote, however it ended. Rejects with a ProcessError when it cannot start, with a
 * WaitError when there was no place for it in time, and with the reason of an abort once the whole tree is dead. There
 * is one time limit: what the wait for a place takes is gone for the command.
 */
export async function runProcess(request: CappedRequest, slots: Semaphore = PROCESS_SLOTS): Promise<ProcessResult> {
  return await inPlace(request, slots, async (timed) => {
    const stdout = createCapture(request.maxOutputBytes);
    const stderr = createCapture(request.maxOutputBytes);
    const end = await run({ ...timed, onStdout: stdout.push, onStderr: stderr.push, startsOthers: true });
    return { ...shareCap(stdout.text(), stderr.text(), request.maxOutputBytes), ...end };
  });
}

/** The same with everything the command wrote, up to what a spool keeps of each stream. */
export async function captureProcess(
  request: ProcessRequest,
  slots: Semaphore = PROCESS_SLOTS,
): Promise<CapturedResult> {
  return await inPlace(request, slots, async (timed) => {
    const [stdout, stderr] = [createSpool(), createSpool()];
    try {
      const end = await run({ ...timed, onStdout: stdout.push, onStderr: stderr.push, startsOthers: true });
      const [out, err] = [stdout.finish(), stderr.finish()];
      return { stdout: out.bytes, stderr: err.bytes, truncated: out.dropped + err.dropped > 0, ...end };
    } finally {
      stdout.discard();
      stderr.discard();
    }
  });
}

/** Does the work once there is a place for it, with the time that is left then. */
async function inPlace<Result>(
  request: ProcessRequest,
  slots: Semaphore,
  work: (request: ProcessRequest) => Promise<Result>,
): Promise<Result & { readonly durationMs: number }> {
  const asked = performance.now();
  const release = await acquire(request, slots);
  try {
    const started = performance.now();
    const result = await work({ ...request, timeoutMs: Math.max(1, request.timeoutMs - (started - asked)) });
    return { ...result, durationMs: Math.round(performance.now() - started) };
  } finally {
    release();
  }
}

async function acquire({ signal, timeoutMs }: ProcessRequest, slots: Semaphore): Promise<() => void> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new WaitError(timeoutMs)), timeoutMs);
  try {
    return await slots.acquire(AbortSignal.any([signal, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}
