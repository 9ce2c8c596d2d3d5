import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ProcessRef } from './ref.ts';
import { sendSignal } from './signal.ts';
import { allPids, readStat, viewEnvironment } from './table.ts';

// Reading is synchronous, as a hop through the thread pool costs ten times the read; so many, then others get a turn.
const SLICE = 64;

/** Shows one process after the other until one is the last that is wanted. Says how many there were to show. */
export async function visitAll(isLast: (pid: number) => boolean): Promise<number> {
  const pids = allPids();
  for (const [index, pid] of pids.entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    if (isLast(pid)) break;
  }
  return pids.length;
}

/**
 * The other processes whose environment is as wanted. Children inherit it wherever they go: into another session, under
 * another parent. What `matches` is shown is valid during its call. Where there is no `/proc`, none is found.
 */
export function findWhere(matches: (environment: Buffer, pid: number) => boolean): number[] {
  return allPids().filter((pid) => isWanted(pid, matches));
}

/** Kills those, and says how many there were. */
export async function killWhere(matches: (environment: Buffer, pid: number) => boolean): Promise<number> {
  let found = 0;
  await visitAll((pid) => {
    if (!isWanted(pid, matches)) return false;
    found += 1;
    // At once, not after the round: a process that keeps forking is gone by then.
    sendSignal(pid, 'SIGKILL');
    return false;
  });
  return found;
}

function isWanted(pid: number, matches: (environment: Buffer, pid: number) => boolean): boolean {
  const environment = pid === process.pid ? undefined : viewEnvironment(pid);
  return environment !== undefined && matches(environment, pid);
}

/** All processes below one, however deep, as long as the parents in between live. */
export async function descendants(ancestor: number): Promise<ProcessRef[]> {
  const children = new Map<number, ProcessRef[]>();
  await visitAll((pid) => {
    const stat = readStat(pid);
    if (stat !== undefined) {
      const siblings = children.get(stat.parent) ?? [];
      siblings.push({ pid, started: stat.started });
      children.set(stat.parent, siblings);
    }
    return false;
  });
  const found = [...(children.get(ancestor) ?? [])];
  // The list grows while it is walked.
  for (const { pid } of found) found.push(...(children.get(pid) ?? []));
  return found;
}
