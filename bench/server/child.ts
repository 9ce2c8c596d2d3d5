import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The built server. */
export const SERVER: string = fileURLToPath(new URL('../../packages/mcp-pruner/dist/index.js', import.meta.url));

/** A child that answers lines with lines, timed from here without looking into the answers. */
export interface Child {
  /** Milliseconds from the request to the end of its reply, and how long the reply is. */
  time(message: object): Promise<{ readonly ms: number; readonly bytes: number }>;
  stop(): Promise<void>;
}

export function start(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Child {
  const child = spawnNode(args, cwd, env);
  return {
    time: async (message) => {
      const line = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
      const started = performance.now();
      child.stdin.write(line);
      const bytes = await nextLine(child);
      return { ms: performance.now() - started, bytes };
    },
    stop: () => stop(child),
  };
}

/** Milliseconds from the spawn to the first reply. */
export async function timeHandshake(args: readonly string[], cwd: string): Promise<number> {
  const started = performance.now();
  const child = spawnNode(args, cwd, {});
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
  await nextLine(child);
  const ms = performance.now() - started;
  await stop(child);
  return ms;
}

/** Milliseconds of a program from its spawn until its output is read to the end. */
export async function timeProgram(command: string, args: readonly string[], cwd: string): Promise<number> {
  const started = performance.now();
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.resume();
  await once(child, 'close');
  return performance.now() - started;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

function spawnNode(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, args, { cwd, env: { PATH: String(process.env.PATH), HOME: cwd, ...env } });
  child.stderr.resume();
  return child;
}

function nextLine(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const gone = (): void => reject(new Error('the child ended without a reply'));
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (chunk.at(-1) !== 10) return;
      child.stdout.off('data', take);
      child.off('exit', gone);
      resolve(bytes);
    };
    child.stdout.on('data', take);
    child.once('exit', gone);
  });
}

async function stop(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
