import { setTimeout as delay } from 'node:timers/promises';
import { sendSignal } from './signal.ts';
import { isDead, readStat } from './table.ts';

/** A process, told apart from a later one that got its number. */
export interface ProcessRef {
  readonly pid: number;
  /** When the system started it; absent where that cannot be read. */
  readonly started?: string | undefined;
}

const CHECK_MS = 25;

/** Notes a process that is running now; nothing when there is none by that number. */
export function noteProcess(pid: number): ProcessRef | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 1 || !sendSignal(pid, 0)) return undefined;
  return { pid, started: readStat(pid)?.started };
}

/** Whether that very process still runs; one that only waits to be reaped does not. */
export function isRunning({ pid, started }: ProcessRef): boolean {
  if (!sendSignal(pid, 0)) return false;
  const stat = readStat(pid);
  if (stat === undefined) return started === undefined;
  return !isDead(stat) && stat.started === started;
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
  if (isRunning(process)) sendSignal(process.pid, 'SIGTERM');
  if (await waitForEnd(process, graceMs)) return { escalated: false };
  killProcess(process);
  await waitForEnd(process, graceMs);
  return { escalated: true };
}

export function killProcess(process: ProcessRef): void {
  if (isRunning(process)) sendSignal(process.pid, 'SIGKILL');
}
