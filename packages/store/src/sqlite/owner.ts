import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** How long an owner that cannot be looked up (another container, no start times) is believed to be alive. */
const UNVERIFIABLE_MS = 30_000;

/**
 * A file name that says who holds a lock: process id, its start time (ids are reused), the place where both mean
 * something, and a nonce, since one process may hold several stores.
 */
export function ownerName(): string {
  return [process.pid, startTime(process.pid) ?? 0, place(), randomBytes(8).toString('hex')].join('.');
}

/** Whether the owner may still be at work. `sinceMs` is the age of its lock. */
export function isAlive(owner: string, sinceMs: number): boolean {
  const [pid, start, where] = owner.split('.');
  const unverified = Math.abs(sinceMs) < UNVERIFIABLE_MS;
  if (pid === undefined || start === undefined || where !== place()) return unverified;
  if (start !== '0') return startTime(Number(pid)) === start;
  return processExists(Number(pid)) && unverified;
}

/** When the process started, in ticks since boot, or undefined when it is gone, a zombie, or the system has no /proc. */
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name stands in parentheses and may hold anything: fields count from the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    return state === 'Z' || state === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

let knownPlace: string | undefined;

/** Names the boot and the process-id namespace: only within one of them can an id be looked up. */
function place(): string {
  knownPlace ??= createHash('sha256')
    .update([hostname(), tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'))].join('\n'))
    .update(tryRead(() => readlinkSync('/proc/self/ns/pid')))
    .digest('hex')
    .slice(0, 12);
  return knownPlace;
}

function tryRead(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
