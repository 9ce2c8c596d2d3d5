import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type Emit, LOG_LINE, type RunState } from '@jeeves/protocol';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';

/** A server over HTTP that the runner itself starts, watches and ends. */
export interface HttpServer {
  readonly state: () => RunState;
  /** Where it answers; nothing when it never did, or does no more. */
  readonly url: () => string | undefined;
  /** Ends it: SIGTERM, then SIGKILL. Nothing of it is left when this resolves. */
  readonly stop: () => Promise<void>;
}

export interface HttpServerOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute: the server's root. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly emit: Emit;
  readonly fetch: typeof globalThis.fetch;
  readonly limits?: Partial<HttpServerLimits> | undefined;
}

export interface HttpServerLimits {
  /** A cold machine has needed ten seconds. */
  readonly startMs: number;
  /** Between two looks at its health. */
  readonly checkMs: number;
  /** So many looks in a row without an answer, and the server counts as lost. */
  readonly failures: number;
  readonly shutdownMs: number;
}

const LIMITS: HttpServerLimits = { startMs: 12_000, checkMs: 1000, failures: 3, shutdownMs: 5000 };
const POLL_MS = 50;
const PROBE_MS = 1000;

/** Starts a server and waits until its health route answers. It never throws: the state says what came of it. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { emit, cwd } = options;
  const limits = { ...LIMITS, ...options.limits };
  const lifecycle = createLifecycle(emit);
  lifecycle.send({ type: 'config_resolved' });
  const child = spawn(options.command, [...options.args, '--host', '127.0.0.1', '--port', '0', '--root', cwd], {
    cwd,
    env: { ...options.env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const server = observe(child);
  const failure = await untilReady(server, options.fetch, limits.startMs);
  if (failure === undefined) {
    const { port } = new URL(server.address() ?? '');
    lifecycle.send({ type: 'server_ready', root: cwd, pid: child.pid, host: '127.0.0.1', port: Number(port) });
  } else {
    if (failure.late) emit({ event: 'mcp_pruner.start_timeout', data: { timeout_ms: limits.startMs } });
    await kill(child);
    lifecycle.send({ type: 'start_failed', message: failure.message });
  }
  const watch = watchHealth({ server, lifecycle, fetch: options.fetch, limits });
  return {
    state: () => lifecycle.state,
    url: () => (lifecycle.state === 'run:mcp_pruner_running' ? server.address() : undefined),
    async stop() {
      watch.clear();
      if (lifecycle.state === 'run:shutdown') return;
      await end(child, { emit, shutdownMs: limits.shutdownMs });
      lifecycle.send({ type: 'phase_ended' });
    },
  };
}

interface Observed {
  /** The address it names; that it has one does not mean that it answers. */
  readonly address: () => string | undefined;
  /** How it ended, if it has. */
  readonly ended: () => Ended | undefined;
}

interface Ended {
  readonly message: string;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
}

function observe(child: ChildProcess): Observed {
  let address: string | undefined;
  let ended: Ended | undefined;
  child.on('error', ({ message }) => {
    ended ??= { message };
  });
  child.on('exit', (code, signal) => {
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
    ended ??= { message: `the server ended ${how}`, exitCode: code ?? undefined, signal: signal ?? undefined };
  });
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      address ??= addressIn(line);
    });
  }
  return { address: () => address, ended: () => ended };
}

/** With any free port asked for, only the server can tell which it got. */
function addressIn(line: string): string | undefined {
  try {
    const { event, data } = LOG_LINE.parse(JSON.parse(line));
    const port = data?.['port'];
    return event === 'mcp_pruner.ready' && typeof port === 'number' ? `http://127.0.0.1:${port}` : undefined;
  } catch {
    return undefined;
  }
}

type Failure = { readonly message: string; readonly late: boolean };

async function untilReady(
  server: Observed,
  fetch: typeof globalThis.fetch,
  startMs: number,
): Promise<Failure | undefined> {
  const deadline = performance.now() + startMs;
  while (performance.now() < deadline) {
    const ended = server.ended();
    if (ended !== undefined) return { message: ended.message, late: false };
    const address = server.address();
    if (address !== undefined && (await healthProblem(address, fetch)) === undefined) return undefined;
    await delay(POLL_MS);
  }
  return { message: `the server was not ready within ${startMs} ms`, late: true };
}

/** Why the server is not well; nothing when it is. */
async function healthProblem(address: string, fetch: typeof globalThis.fetch): Promise<string | undefined> {
  try {
    const response = await fetch(`${address}/healthz`, { redirect: 'manual', signal: AbortSignal.timeout(PROBE_MS) });
    await response.body?.cancel();
    return response.status === 200 ? undefined : `the health route answered ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Watched {
  readonly server: Observed;
  readonly lifecycle: Lifecycle;
  readonly fetch: typeof globalThis.fetch;
  readonly limits: HttpServerLimits;
}

function watchHealth({ server, lifecycle, fetch, limits }: Watched): { readonly clear: () => void } {
  let failures = 0;
  let looking = false;
  async function look(): Promise<void> {
    const ended = server.ended();
    if (ended !== undefined) lifecycle.send({ type: 'server_lost', reason: 'exited', ...ended });
    if (lifecycle.state !== 'run:mcp_pruner_running') return clear();
    const problem = await healthProblem(server.address() ?? '', fetch);
    failures = problem === undefined ? 0 : failures + 1;
    if (problem === undefined || failures < limits.failures || server.ended() !== undefined) return;
    lifecycle.send({ type: 'server_lost', reason: 'unreachable', message: problem, failures });
  }
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void look().finally(() => {
      looking = false;
    });
  }, limits.checkMs);
  function clear(): void {
    clearInterval(timer);
  }
  if (lifecycle.state !== 'run:mcp_pruner_running') clear();
  return { clear };
}

async function end(child: ChildProcess, { emit, shutdownMs }: { emit: Emit; shutdownMs: number }): Promise<void> {
  if (isGone(child)) return;
  const started = performance.now();
  child.kill('SIGTERM');
  const graceful = await goneWithin(child, shutdownMs);
  if (!graceful) {
    emit({ event: 'mcp_pruner.kill_escalated', data: { pid: child.pid ?? 0 } });
    await kill(child);
  }
  const duration = Math.round(performance.now() - started);
  emit({ event: 'mcp_pruner.stopped', data: { graceful, duration_ms: duration } });
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await goneWithin(child, PROBE_MS * 5);
  child.stdout?.destroy();
}

async function goneWithin(child: ChildProcess, ms: number): Promise<boolean> {
  if (isGone(child)) return true;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  await once(child, 'exit', { signal: late.signal }).catch(() => undefined);
  clearTimeout(timer);
  return isGone(child);
}

function isGone({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}
