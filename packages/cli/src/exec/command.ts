import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';

/** What a command wrote, and how a shell would report its end. */
export interface Ended {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly exitCode: number;
  /** Why it did not start. */
  readonly problem?: string;
}

/** As shells number them. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
const BY_SIGNAL = 128;

/** Runs a command with our standard input and keeps what it writes. It ends when the command does, whatever we are sent. */
export async function runCommand([program = '', ...args]: readonly string[], context: Context): Promise<Ended> {
  const { createSpool, withoutColours } = await import('@jeeves/mcp-pruner/exec');
  const [stdout, stderr] = [createSpool(), createSpool()];
  const env = withoutColours(present(context.config.environment));
  const child = spawn(program, args, { cwd: context.cwd, env, stdio: ['inherit', 'pipe', 'pipe'] });
  // Ctrl-C reaches the command by itself, as it has our terminal; anything else is handed on. What it wrote still comes.
  const stayed = (): void => undefined;
  const handedOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', stayed);
  process.on('SIGTERM', handedOn);
  try {
    const [exitCode] = await Promise.all([
      ended(child),
      drained(child.stdout, (chunk) => stdout.push(chunk)),
      drained(child.stderr, (chunk) => stderr.push(chunk)),
    ]);
    return { stdout: stdout.finish().bytes, stderr: stderr.finish().bytes, exitCode };
  } catch (error) {
    return { stdout: NOTHING, stderr: NOTHING, ...notStarted(program, error) };
  } finally {
    process.off('SIGINT', stayed);
    process.off('SIGTERM', handedOn);
    stdout.discard();
    stderr.discard();
  }
}

const NOTHING = Buffer.alloc(0);

function ended(child: ReturnType<typeof spawn>): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      resolve(code ?? BY_SIGNAL + (signal === null ? 0 : (constants.signals[signal] ?? 0)));
    });
  });
}

function drained(stream: Readable, onChunk: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve) => {
    stream.on('data', onChunk);
    stream.on('error', () => undefined);
    stream.once('close', resolve);
  });
}

function notStarted(program: string, error: unknown): Pick<Ended, 'exitCode' | 'problem'> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return { exitCode: NOT_FOUND, problem: `${program}: command not found` };
  const why = error instanceof Error ? error.message : String(error);
  return { exitCode: NOT_EXECUTABLE, problem: `${program}: cannot be started: ${why}` };
}

function present(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
