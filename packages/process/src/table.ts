import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

/** Newest first, as what is looked for was mostly started a moment ago. None where there is no `/proc`. */
export function allPids(): number[] {
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

/** The variables of a process, each followed by NUL; undefined for one that is gone or somebody else's. */
export function environmentOf(pid: number): Buffer | undefined {
  const environment = viewEnvironment(pid);
  return environment === undefined ? undefined : Buffer.from(environment);
}

/** The same, valid until anything else is read: who looks through all processes must be faster than those that fork. */
export function viewEnvironment(pid: number): Buffer | undefined {
  return readWhole(`/proc/${pid}/environ`);
}

export interface Stat {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  /** When it started, in the system's own count: tells it from a later process with the same number. */
  readonly started: string;
}

export function readStat(pid: number): Stat | undefined {
  const line = readWhole(`/proc/${pid}/stat`)?.toString('latin1');
  if (line === undefined) return undefined;
  // The name in parentheses may contain anything, so the fields are counted from behind it.
  const [state = '', parent, group, ...others] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return { state, parent: Number(parent), group: Number(group), started: others[16] ?? '' };
}

/** Whether a process only waits for its parent to notice its end. */
export function isDead({ state }: Stat): boolean {
  return state === 'Z' || state === 'X';
}

/** When a process started; undefined when it is gone or dead, and where that cannot be told. */
export function startOf(pid: number): string | undefined {
  const stat = readStat(pid);
  return stat === undefined || isDead(stat) ? undefined : stat.started;
}

/** Grows with the largest file that was read; their sizes are not known before. */
let room = Buffer.allocUnsafe(64 * 1024);

/** Valid until the next call. */
function readWhole(path: string): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    for (let length = 0; ; ) {
      const more = readSync(fd, room, length, room.length - length, length);
      if (more === 0) return room.subarray(0, length);
      length += more;
      if (length === room.length) room = Buffer.concat([room], 2 * length);
    }
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
