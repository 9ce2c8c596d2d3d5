import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { sendSignal, startOf } from '@jeeves/process';

/** How long an owner that cannot be looked up (another container, no start times) is believed to be alive. */
const UNVERIFIABLE_MS = 30_000;

/**
 * A file name that says who holds a lock: process id, its start time (ids are reused), the place where both mean
 * something, and a nonce, since one process may hold several stores.
 */
export function ownerName(): string {
  return [process.pid, startOf(process.pid) ?? 0, place(), randomBytes(8).toString('hex')].join('.');
}

/** Whether the owner may still be at work. `sinceMs` is the age of its lock. */
export function isAlive(owner: string, sinceMs: number): boolean {
  const [pid, start, where] = owner.split('.');
  const unverified = Math.abs(sinceMs) < UNVERIFIABLE_MS;
  if (pid === undefined || start === undefined || where !== place()) return unverified;
  if (start !== '0') return startOf(Number(pid)) === start;
  return sendSignal(Number(pid), 0) && unverified;
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
