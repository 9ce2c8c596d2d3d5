import { readdirSync, readFileSync } from 'node:fs';

export interface Process {
  readonly pid: number;
  readonly command: string;
}

/** Processes whose environment mentions a text, such as the directory they all were given. The dead do not count. */
export function processesWith(text: string): Process[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isSafeInteger);
  return pids
    .filter((pid) => pid !== process.pid && read(pid, 'environ').includes(text) && !isDead(pid))
    .map((pid) => ({ pid, command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() }));
}

function isDead(pid: number): boolean {
  const stat = read(pid, 'stat');
  return stat === '' || /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

/** Nothing of a process that is gone, or somebody else's. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Waits for something to become true. */
export async function until(condition: () => boolean, limitMs: number = 30_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`still not true after ${limitMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
