import { setTimeout as sleep } from 'node:timers/promises';
import { type Exit, type Launched, type LaunchRequest, launch } from './launch.ts';
import { endTree, groupEnds } from './tree.ts';

export interface RunRequest extends LaunchRequest {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface RunEnd extends Exit {
  readonly timedOut: boolean;
}

type Cause = 'exit' | 'timeout' | 'abort';

// A program that gets the end of its input when the command exits (`> >(tee log)`) shall be able to finish its work.
const LEFTOVER_MS = 250;
const DRAIN_MS = 2000;
// The time after a kill: what is in the pipes is read much faster, and the answer is late already.
const DRAIN_KILLED_MS = 150;
const KILLED: Exit = { exitCode: null, signal: 'SIGKILL' };

/**
 * Runs a program to its exit, its time limit or an abort. Whichever it is, nothing that the program started survives:
 * a server put into the background lives no longer than the command, as nobody could stop it later.
 */
export async function run(request: RunRequest): Promise<RunEnd> {
  request.signal.throwIfAborted();
  const launched = await launch(request);
  const cause = await firstOf(launched, request);
  if (cause !== 'exit') await endTree(launched.tree, true);
  else if (request.startsOthers) await endLeftovers(launched);
  // Not `close`: a process that got away may hold the outputs open for ever.
  const settled = Promise.all([launched.exited, launched.drained]);
  await within(cause === 'exit' ? DRAIN_MS - LEFTOVER_MS : DRAIN_KILLED_MS, settled);
  launched.close();
  request.signal.throwIfAborted();
  const exit = await Promise.race([launched.exited, Promise.resolve(KILLED)]);
  return { ...exit, timedOut: cause === 'timeout' };
}

async function endLeftovers({ tree, drained }: Launched): Promise<void> {
  await within(LEFTOVER_MS, Promise.all([drained, groupEnds(tree.leader, LEFTOVER_MS)]));
  await endTree(tree, false);
}

function firstOf({ exited }: Launched, { timeoutMs, signal }: RunRequest): Promise<Cause> {
  return new Promise((resolve) => {
    const end = (cause: Cause): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(cause);
    };
    const onAbort = (): void => end('abort');
    const timer = setTimeout(() => end('timeout'), timeoutMs);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    void exited.then(() => end('exit'));
  });
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const limit = sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([work, limit]);
  timer.abort();
}
