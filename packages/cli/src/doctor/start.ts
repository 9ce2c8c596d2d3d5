import { type ChildProcess, spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface StartOptions {
  /** Program and arguments, run with this node. It must listen at the port. */
  readonly command: readonly string[];
  readonly port: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether what answers at the port is ready for work. */
  readonly isReady: () => Promise<boolean>;
  readonly limits?: StartLimits;
}

export interface StartLimits {
  readonly waitMs: number;
  readonly intervalMs: number;
}

/** Seed 002 §14: a start may take its time on a loaded machine, and one early look would call it a failure. */
export const START_LIMITS: StartLimits = { waitMs: 12_000, intervalMs: 1000 };

const LOG_LINES = 80;

export type StartOutcome =
  | { readonly kind: 'ready'; readonly stop: () => Promise<void>; readonly log: () => readonly string[] }
  /** Somebody else is at the port; nothing was started, and nothing it answers counts. */
  | { readonly kind: 'port_taken' }
  | { readonly kind: 'died'; readonly code: number | null; readonly log: readonly string[] }
  | { readonly kind: 'not_ready'; readonly log: readonly string[] };

/** Starts a server and waits until it is ready, by asking it: what it prints, or does not, proves nothing. */
export async function startAndWait(options: StartOptions): Promise<StartOutcome> {
  const { waitMs, intervalMs } = options.limits ?? START_LIMITS;
  if (await answers(options.port)) return { kind: 'port_taken' };
  const child = spawn(process.execPath, [...options.command], {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = lastLines(child);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  for (const end = Date.now() + waitMs; ; ) {
    if (await options.isReady()) return { kind: 'ready', stop: () => stop(child, ended), log };
    if (hasEnded(child)) {
      await ended;
      return { kind: 'died', code: child.exitCode, log: log() };
    }
    if (Date.now() >= end) break;
    await Promise.race([ended, sleep(intervalMs, undefined, { ref: true })]);
  }
  await stop(child, ended);
  return { kind: 'not_ready', log: log() };
}

/** Whether anybody takes connections there. */
export function answers(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const done = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.setTimeout(1000, () => done(false));
  });
}

/** A port that nobody has at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  const patience = new AbortController();
  const late = sleep(3000, 'late', { signal: patience.signal }).catch(() => 'ended');
  if ((await Promise.race([ended, late])) === 'late') child.kill('SIGKILL');
  patience.abort();
  await ended;
}

function lastLines(child: ChildProcess): () => readonly string[] {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      text = (text + piece)
        .split('\n')
        .slice(-LOG_LINES - 1)
        .join('\n');
    });
  }
  return () => (text === '' ? [] : text.replace(/\n$/, '').split('\n').slice(-LOG_LINES));
}
