import { createCapture, shareCap } from './capture.ts';
import { run } from './run.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';

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
  /** Most bytes of UTF-8 kept of stdout and stderr together; what comes after is read and dropped. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

export interface ProcessResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly truncated: boolean;
  readonly durationMs: number;
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
export async function runProcess(request: ProcessRequest, slots: Semaphore = PROCESS_SLOTS): Promise<ProcessResult> {
  const started = performance.now();
  const release = await acquire(request, slots);
  try {
    const left = Math.max(1, request.timeoutMs - (performance.now() - started));
    return await capture({ ...request, timeoutMs: left });
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

async function capture(request: ProcessRequest): Promise<ProcessResult> {
  const started = performance.now();
  const stdout = createCapture(request.maxOutputBytes);
  const stderr = createCapture(request.maxOutputBytes);
  const end = await run({ ...request, onStdout: stdout.push, onStderr: stderr.push, startsOthers: true });
  return {
    ...shareCap(stdout.text(), stderr.text(), request.maxOutputBytes),
    ...end,
    durationMs: Math.round(performance.now() - started),
  };
}
