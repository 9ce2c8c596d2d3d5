import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TAG_VARIABLE } from './environment.ts';

// Reading is synchronous, as a hop through the thread pool costs ten times the read; so many, then others get a turn.
const SLICE = 8;
// Environments are small; a tag that lies further back belongs to nobody we started.
const ENVIRONMENT = Buffer.allocUnsafe(128 * 1024);

/** Says whose process a tagged one is: who started it, and for which instance. */
export interface Tag {
  readonly owner: number;
  /** Tells the owner from a later process with the same number. */
  readonly started: string;
  readonly family: string;
  readonly instance: string;
}

export function tagText({ owner, started, family, instance }: Tag): string {
  return [owner, started, family, instance].join(':');
}

/** When a process started, in the system's own count; empty where that cannot be told or it is gone. */
export function startOf(pid: number): string {
  const line = readFile(`/proc/${pid}/stat`)?.toString('latin1') ?? '';
  // The name in parentheses may contain anything, so the fields are counted from behind it.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  // One that waits for its parent to notice is dead.
  return fields[0] === 'Z' || fields[0] === 'X' ? '' : (fields[19] ?? '');
}

/** Signals a process group. Says whether it still exists; 0 only asks. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Kills every process whose tag matches, wherever it went. Where there is no `/proc`, none is found. */
export async function killTagged(matches: (tag: Tag, pid: number) => boolean): Promise<void> {
  for (const [index, pid] of allPids().entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    const tag = tagOf(pid);
    if (tag === undefined || !matches(tag, pid)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
}

/** Newest first, as what is looked for was mostly started a moment ago. */
function allPids(): number[] {
  try {
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return names.map(Number).reverse();
  } catch {
    return [];
  }
}

function tagOf(pid: number): Tag | undefined {
  const text = readFile(`/proc/${pid}/environ`)?.toString('latin1');
  const entry = text?.split('\0').find((variable) => variable.startsWith(`${TAG_VARIABLE}=`));
  const [owner, started, family, instance] = entry?.slice(TAG_VARIABLE.length + 1).split(':') ?? [];
  if (started === undefined || family === undefined || instance === undefined) return undefined;
  return { owner: Number(owner), started, family, instance };
}

/** Valid until the next call. */
function readFile(path: string): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    return ENVIRONMENT.subarray(0, readSync(fd, ENVIRONMENT, 0, ENVIRONMENT.length, 0));
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
