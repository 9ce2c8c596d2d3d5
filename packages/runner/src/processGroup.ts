import { type ChildProcess, spawn } from 'node:child_process';
import { signalGroup } from '@jeeves/process';

export interface GroupCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Ends the program and everything it started. */
  readonly abort?: AbortSignal | undefined;
  /** An open file for all that it writes; without one its output is handed back. */
  readonly output?: number | 'ignore' | undefined;
}

export interface GroupEnd {
  /** Null for a program that a signal ended or that could not be started. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const GRACE_MS = 1000;
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Runs a program in a process group of its own, so that stopping it leaves none of its children behind. */
export function runInGroup({ file, args, cwd, env, abort, output }: GroupCommand): Promise<GroupEnd> {
  if (abort?.aborted === true) return Promise.resolve({ code: null, stdout: '', stderr: '' });
  const stream = output ?? 'pipe';
  const child = spawn(file, [...args], {
    cwd,
    detached: process.platform !== 'win32',
    stdio: ['ignore', stream, stream],
    ...(env !== undefined && { env: { ...env } }),
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  let insist: NodeJS.Timeout | undefined;
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid !== undefined) signalGroup(child.pid, name);
  };
  const stop = (): void => {
    signal('SIGTERM');
    insist = setTimeout(() => signal('SIGKILL'), GRACE_MS);
  };
  abort?.addEventListener('abort', stop, { once: true });
  return new Promise((done) => {
    const settle = (code: number | null): void => {
      clearTimeout(insist);
      abort?.removeEventListener('abort', stop);
      // The program is gone; a child of it may have ignored the first signal.
      if (abort?.aborted === true) signal('SIGKILL');
      done({ code, stdout: stdout(), stderr: stderr() });
    };
    child.once('error', () => settle(null));
    child.once('close', (code) => settle(code));
  });
}

function collect(stream: ChildProcess['stdout']): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < MAX_CHARACTERS) text += chunk;
  });
  return () => text;
}
