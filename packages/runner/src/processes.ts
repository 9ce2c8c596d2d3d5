import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process, told apart from a later one that got its number. */
export interface ProcessRef {
  readonly pid: number;
  /** When the kernel started it; absent where that cannot be read. */
  readonly started?: string | undefined;
}

const CHECK_MS = 25;

/** Notes a process that is running now; nothing when there is none by that number. */
export function noteProcess(pid: number): ProcessRef | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 1 || !exists(pid)) return undefined;
  return { pid, started: startOf(pid) };
}

/** Whether a process was given this variable. Where nobody can tell, its word is taken. */
export function hasVariable(pid: number, name: string, value: string): boolean {
  let environment: Buffer;
  try {
    environment = readFileSync(`/proc/${pid}/environ`);
  } catch {
    return process.platform !== 'linux';
  }
  return Buffer.concat([Buffer.from([0]), environment]).includes(`\0${name}=${value}\0`);
}

/** Whether that very process still runs; one that only waits to be reaped does not. */
export function isRunning({ pid, started }: ProcessRef): boolean {
  if (!exists(pid)) return false;
  const stat = statOf(pid);
  if (stat === undefined) return started === undefined;
  return stat.state !== 'Z' && stat.state !== 'X' && stat.started === started;
}

/** Whether it ended by itself in that time. */
export async function waitForEnd(process: ProcessRef, timeoutMs: number): Promise<boolean> {
  for (let waited = 0; isRunning(process); waited += CHECK_MS) {
    if (waited >= timeoutMs) return false;
    await delay(CHECK_MS);
  }
  return true;
}

/** SIGTERM, then SIGKILL. Says whether the second was needed. */
export async function endProcess(process: ProcessRef, graceMs: number): Promise<{ readonly escalated: boolean }> {
  signal(process, 'SIGTERM');
  if (await waitForEnd(process, graceMs)) return { escalated: false };
  signal(process, 'SIGKILL');
  await waitForEnd(process, graceMs);
  return { escalated: true };
}

function signal(target: ProcessRef, name: NodeJS.Signals): void {
  if (!isRunning(target)) return;
  try {
    process.kill(target.pid, name);
  } catch {
    // It ended in between, or belongs to somebody else: either way it is not ours to end any more.
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function startOf(pid: number): string | undefined {
  return statOf(pid)?.started;
}

/** Linux only. The name before these fields may hold blanks and parentheses, so they are counted from its end. */
function statOf(pid: number): { readonly state: string; readonly started: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}
