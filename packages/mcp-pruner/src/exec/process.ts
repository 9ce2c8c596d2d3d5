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

/** The places for commands of one server process. */
export const PROCESS_SLOTS: Semaphore = createSemaphore(8);

/**
 * Runs a command and returns what it wrote, however it ended. Rejects with a ProcessError when it cannot start, and
 * with the reason of an abort once the whole tree is dead. The time limit counts from the start, not from the wait for
 * a place.
 */
export async function runProcess(request: ProcessRequest, slots: Semaphore = PROCESS_SLOTS): Promise<ProcessResult> {
  const release = await slots.acquire(request.signal);
  try {
    return await capture(request);
  } finally {
    release();
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
