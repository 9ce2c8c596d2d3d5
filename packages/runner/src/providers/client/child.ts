import { type ChildProcess, spawn } from 'node:child_process';
import { signalGroup } from '@jeeves/process';

/** An agent client as a process in a group of its own: Ctrl-C in a terminal is for the runner to pass on. */
export interface ClientProcess {
  readonly child: ChildProcess;
  /** Resolves when it has ended, or could not be started. */
  readonly ended: Promise<ClientEnd>;
  /** The last of what it wrote to standard error. */
  readonly errorTail: () => string;
  /** Asks it to end, insists after a while, and resolves when it is gone. */
  readonly end: () => Promise<void>;
}

export interface ClientEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: Error;
}

export interface ClientCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onErrorLine?: (line: string) => void;
}

const GRACE_MS = 4000;
const TAIL_CHARACTERS = 4000;

export function startClient({ command, args, cwd, env, onErrorLine }: ClientCommand): ClientProcess {
  const detached = process.platform !== 'win32';
  const child = spawn(command, args, { cwd, env: { ...env }, detached, windowsHide: true, stdio: 'pipe' });
  const errors = createTail(onErrorLine);
  child.stderr.setEncoding('utf8').on('data', errors.add);
  // A client that is gone before it read its prompt says so by its exit code.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<ClientEnd>((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return { child, ended, errorTail: errors.text, end: () => endClient(child, ended) };
}

/** SIGINT, on which clients put their servers away; SIGKILL to the whole group when that does not help. */
async function endClient(child: ChildProcess, ended: Promise<ClientEnd>): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT');
  const timer = setTimeout(() => {
    signalGroup(pid, 'SIGKILL');
    // A pipe that some grandchild holds open must not hold up the run.
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, GRACE_MS);
  await ended;
  clearTimeout(timer);
}

interface Tail {
  readonly add: (chunk: string) => void;
  readonly text: () => string;
}

function createTail(onLine?: (line: string) => void): Tail {
  let tail = '';
  let open = '';
  return {
    add(chunk) {
      tail = (tail + chunk).slice(-TAIL_CHARACTERS);
      if (onLine === undefined) return;
      const lines = (open + chunk).split('\n');
      open = (lines.pop() ?? '').slice(0, TAIL_CHARACTERS);
      for (const line of lines) onLine(line);
    },
    text: () => tail.trim(),
  };
}
