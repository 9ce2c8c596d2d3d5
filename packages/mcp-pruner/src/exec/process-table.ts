import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A process, told apart from a later one with the same number by its start time. */
export interface ProcessId {
  readonly pid: number;
  readonly started: string;
}

// Reading is synchronous, as a hop through the thread pool costs ten times the read; so many, then others get a turn.
const SLICE = 64;
const CHUNK = Buffer.allocUnsafe(64 * 1024);

/**
 * Kills every process whose environment carries the tag, and says how many there were. Children inherit the tag
 * wherever they go: into another session, under another parent. Where there is no `/proc`, none is found.
 */
export async function killTagged(tag: string): Promise<number> {
  let found = 0;
  for (const [index, pid] of allPids().entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    if (!environmentHas(pid, tag)) continue;
    found += 1;
    // At once, not after the round: a process that keeps forking is gone by then.
    sendSignal(pid, 'SIGKILL');
  }
  return found;
}

/** Whether a process group has a member that runs. The dead who wait for their parent to notice do not count. */
export async function groupRuns(group: number): Promise<boolean> {
  if (!sendSignal(-group, 0)) return false;
  const pids = allPids();
  for (const [index, pid] of pids.entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    const stat = readStat(pid);
    if (stat?.group === group && stat.state !== 'Z' && stat.state !== 'X') return true;
  }
  return pids.length === 0;
}

/** All processes below one, however deep, as long as the parents in between live. */
export async function descendants(ancestor: number): Promise<ProcessId[]> {
  const children = new Map<number, ProcessId[]>();
  for (const [index, pid] of allPids().entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    const stat = readStat(pid);
    if (stat === null) continue;
    const siblings = children.get(stat.parent);
    if (siblings === undefined) children.set(stat.parent, [{ pid, started: stat.started }]);
    else siblings.push({ pid, started: stat.started });
  }
  const found = [...(children.get(ancestor) ?? [])];
  // The list grows while it is walked.
  for (const { pid } of found) found.push(...(children.get(pid) ?? []));
  return found;
}

export function killProcess({ pid, started }: ProcessId): void {
  if (readStat(pid)?.started === started) sendSignal(pid, 'SIGKILL');
}

/** Signals a process, or with a negative number a process group. Says whether it still exists; 0 only asks. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Newest first, as what is looked for was started a moment ago. */
function allPids(): number[] {
  try {
    return readdirSync('/proc').filter(isNumeric).map(Number).reverse();
  } catch {
    return [];
  }
}

function isNumeric(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 48 && first <= 57;
}

function environmentHas(pid: number, tag: string): boolean {
  // The tag may lie across two reads.
  let tail = '';
  for (const piece of pieces(`/proc/${pid}/environ`)) {
    if (piece.includes(tag) || (tail + piece.subarray(0, tag.length).toString('latin1')).includes(tag)) return true;
    tail = piece.subarray(-tag.length).toString('latin1');
  }
  return false;
}

interface Stat {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly started: string;
}

function readStat(pid: number): Stat | null {
  for (const piece of pieces(`/proc/${pid}/stat`)) {
    const line = piece.toString('latin1');
    // The name in parentheses may contain anything, so the fields are counted from behind it.
    const [state = '', parent, group, ...others] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent), group: Number(group), started: others[16] ?? '' };
  }
  return null;
}

/** A file in pieces that are valid until the next one is asked for; ends where it cannot be read. */
function* pieces(path: string): Generator<Buffer, void, undefined> {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    for (let at = 0; ; ) {
      const length = readSync(fd, CHUNK, 0, CHUNK.length, at);
      if (length === 0) return;
      yield CHUNK.subarray(0, length);
      at += length;
    }
  } catch {
    // The process ended while it was read.
  } finally {
    closeSync(fd);
  }
}
