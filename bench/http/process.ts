import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own. */
export interface Target {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** The service as it is installed, in a fresh home; its default store there, unless another is named. */
export async function startService(store?: string): Promise<Target> {
  const home = mkdtempSync(join(tmpdir(), 'jeeves-bench-'));
  const program = fileURLToPath(new URL('../../packages/mcp-pruner/dist/http.js', import.meta.url));
  const target = await start([program, '--port', '0', '--root', home], {
    HOME: home,
    ...(store !== undefined && { JEEVES_STORE: store }),
  });
  return {
    url: target.url,
    stop: async () => {
      await target.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export function startBare(): Promise<Target> {
  return start([fileURLToPath(new URL('bare.mjs', import.meta.url))], {});
}

/** The first line it prints says where it listens; the rest is read and thrown away, as a log collector would. */
async function start(command: readonly string[], env: Record<string, string>): Promise<Target> {
  const child = spawn(process.execPath, [...command], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [first] = (await once(lines, 'line')) as [string];
  lines.close();
  child.stdout.resume();
  const { data } = JSON.parse(first) as { data: { port: number } };
  return { url: `http://127.0.0.1:${data.port}`, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
