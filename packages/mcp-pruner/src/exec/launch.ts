import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { openPipes, type Pipe } from './pipes.ts';
import type { Tree } from './tree.ts';

/** Why a program did not start. */
export class ProcessError extends Error {
  readonly code = 'spawn_error';

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'ProcessError';
  }
}

export interface LaunchRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
  /**
   * Whether the program starts others, as a shell does. Then `/dev/stdout` and `/dev/stderr` can be opened in it, and
   * what it leaves running is looked for; both cost a few milliseconds.
   */
  readonly startsOthers: boolean;
  /** The absolute path of the program that makes pipes, if there is one. Never looked up in `env`, which is a caller's. */
  readonly mkfifo: string | null;
}

export interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface Launched {
  readonly tree: Tree;
  readonly exited: Promise<Exit>;
  /** Both outputs are read to their end. A process left behind by the command can hold them open. */
  readonly drained: Promise<unknown>;
  /** Reads no further. */
  close(): void;
}

const TAG_VARIABLE = 'JEEVES_EXEC_TAG';

/** Starts a program in a session of its own, without stdin, its whole tree marked by a tag in the environment. */
export async function launch(request: LaunchRequest): Promise<Launched> {
  const tag = randomUUID();
  const pipes = request.startsOthers ? await openPipes(2, request.mkfifo) : null;
  const child = start(request, tag, pipes);
  const exited = once(child, 'exit').then(([exitCode, signal]: unknown[]) => ({ exitCode, signal }) as Exit);
  if (child.pid === undefined) {
    exited.catch(() => undefined);
    for (const { reader } of pipes ?? []) reader.destroy();
    const [error] = (await once(child, 'error')) as [unknown];
    throw spawnError(request, error);
  }
  const outputs = (pipes ?? []).map(({ reader }) => reader);
  const [stdout, stderr] = [outputs[0] ?? child.stdout, outputs[1] ?? child.stderr];
  return {
    tree: { leader: child.pid, tag },
    exited,
    drained: Promise.all([drain(stdout, request.onStdout), drain(stderr, request.onStderr)]),
    close: () => {
      stdout?.destroy();
      stderr?.destroy();
    },
  };
}

function start(request: LaunchRequest, tag: string, pipes: readonly Pipe[] | null): ChildProcess {
  // A server that runs below another one keeps the other's tag, so that both find their own.
  const outer = request.env[TAG_VARIABLE];
  const options: SpawnOptions = {
    cwd: request.cwd,
    env: { ...request.env, [TAG_VARIABLE]: outer === undefined ? tag : `${outer} ${tag}` },
    detached: true,
    stdio: ['ignore', pipes?.[0]?.writer ?? 'pipe', pipes?.[1]?.writer ?? 'pipe'],
  };
  try {
    return spawn(request.command, request.args, options);
  } catch (error) {
    for (const { reader } of pipes ?? []) reader.destroy();
    throw spawnError(request, error);
  } finally {
    for (const { writer } of pipes ?? []) closeSync(writer);
  }
}

function drain(stream: Readable | null, onChunk: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve) => {
    if (stream === null) return resolve();
    stream.on('data', onChunk);
    // A broken output is one that ended; `close` follows.
    stream.on('error', () => undefined);
    stream.once('close', resolve);
  });
}

function spawnError({ command }: LaunchRequest, error: unknown): ProcessError {
  const tooLong = error instanceof Error && 'code' in error && error.code === 'E2BIG';
  if (tooLong) return new ProcessError('the command is too long for the operating system', error);
  const why = error instanceof Error ? error.message : String(error);
  return new ProcessError(`${command} could not be started: ${why}`, error);
}
