import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LOG_LINE, type LogLine } from '@jeeves/protocol';
import { afterAll } from 'vitest';
import { clientOf } from '../../../../packages/mcp-pruner/test/routes/site.ts';

const PACKAGES = new URL('../../../../packages/', import.meta.url);

/** The programs as users get them: `npm run build` has to have run. */
export const PROGRAMS = {
  'mcp-pruner --http': [fileURLToPath(new URL('mcp-pruner/dist/index.js', PACKAGES)), '--http'],
  'jeeves-mcp-pruner': [fileURLToPath(new URL('mcp-pruner/dist/http.js', PACKAGES))],
  'jeeves serve': [fileURLToPath(new URL('cli/dist/cli.js', PACKAGES)), 'serve'],
} as const;

export interface ServiceOptions {
  readonly program?: keyof typeof PROGRAMS;
  /** Set over nothing but the path, a home of its own and the memory store; `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** After `--port 0`; replaces it when it names a port itself. */
  readonly args?: readonly string[];
  /** The home; a fresh one when absent. */
  readonly home?: string;
}

/** A real process, with what it said. */
export interface Started {
  readonly child: ChildProcess;
  readonly home: string;
  readonly events: readonly LogLine[];
  readonly out: () => string;
  readonly err: () => string;
  readonly exit: Promise<number | null>;
}

export interface Service extends Started, ReturnType<typeof clientOf> {
  readonly port: number;
  /** Ends it by signal and waits. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** Variables that a start found fault with. */
  readonly problems: () => readonly unknown[];
}

const WAIT_MS = 30_000;
const children = new Set<ChildProcess>();
const homes: string[] = [];

/** Ends what a file's tests started. */
export function cleanUpServices(): void {
  afterAll(async () => {
    for (const child of children) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    children.clear();
    for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
  });
}

export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'jeeves-service-'));
  homes.push(home);
  return home;
}

/** Starts a program without waiting for it to serve. */
export function launch(options: ServiceOptions = {}): Started {
  const { program = 'mcp-pruner --http', args = [], home = temporaryHome() } = options;
  const port = args.includes('--port') ? [] : ['--port', '0'];
  const own = { PATH: process.env['PATH'], HOME: home, JEEVES_STORE: 'memory:', PRUNER_URL: 'embedded:' };
  const child = spawn(process.execPath, [...PROGRAMS[program], ...port, ...args], {
    cwd: home,
    env: { ...own, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const exit = once(child, 'exit').then(([code]: unknown[]) => {
    children.delete(child);
    return code as number | null;
  });
  return {
    child,
    home,
    exit,
    out: () => out,
    err: () => err,
    get events() {
      return out
        .slice(0, out.lastIndexOf('\n') + 1)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => LOG_LINE.parse(JSON.parse(line)));
    },
  };
}

/** Starts a program and waits until it says where it listens. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const started = launch(options);
  const port = await readyPort(started);
  return {
    ...started,
    get events() {
      return started.events;
    },
    ...clientOf(`http://127.0.0.1:${port}`),
    port,
    stop: async (signal = 'SIGTERM') => {
      started.child.kill(signal);
      return await started.exit;
    },
    problems: () =>
      started.events.filter(({ event }) => event === 'mcp_pruner.config_invalid').map(({ data }) => data?.['variable']),
  };
}

async function readyPort(started: Started): Promise<number> {
  for (const end = Date.now() + WAIT_MS; ; await sleep(10)) {
    const ready = started.events.find(({ event }) => event === 'mcp_pruner.ready');
    if (ready !== undefined) return Number(ready.data?.['port']);
    if (started.child.exitCode !== null || Date.now() > end) {
      throw new Error(`the service did not start: ${started.out()}${started.err()}`);
    }
  }
}
