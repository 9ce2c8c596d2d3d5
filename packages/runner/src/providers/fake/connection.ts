import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { McpServerConfig, ToolsCallResult } from '@jeeves/protocol';
import { readLines } from './lines.ts';

/** An MCP server on stdio, started for this connection and ended with it. */
export interface Connection {
  readonly pid: number | undefined;
  /** What `tools/list` answered, as text: an agent pays for it in every request. */
  readonly definitions: string;
  readonly call: (name: string, args: Readonly<Record<string, unknown>>) => Promise<ToolsCallResult>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Ends the server: by its input's end, then by signals. Resolves when it is gone. */
  readonly close: () => Promise<void>;
}

/** Why a server cannot be used (any more). */
export interface Loss {
  readonly reason: 'exited' | 'unreachable';
  readonly message: string;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
}

export interface ConnectOptions {
  readonly cwd: string;
  /** What the server sees beside its own configuration: clients pass on very little. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly startTimeoutMs: number;
  readonly callTimeoutMs: number;
  /** Gives up a handshake that is under way. */
  readonly abort: AbortSignal;
  /** Called once, after the connection stood. */
  readonly onLost: (loss: Loss) => void;
}

const MAX_LINE_BYTES = 16 * 1024 * 1024;
const CLOSE_MS = 2500;
const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Starts a server and shakes hands with it. Throws when that fails; then nothing is left running. */
export async function connect(server: McpServerConfig, options: ConnectOptions): Promise<Connection> {
  const child = spawn(server.command, [...(server.args ?? [])], {
    cwd: options.cwd,
    // Agents are shown the text of a result and not its object: so is this one.
    env: { PATH: options.env['PATH'], HOME: options.env['HOME'], MCP_PRUNER_OUTPUT: 'text', ...server.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const link = createLink(child, options);
  try {
    const hello = {
      protocolVersion: REVISIONS[0],
      clientInfo: { name: 'jeeves-fake', version: '1' },
      capabilities: {},
    };
    const answer = await link.request('initialize', hello, options.startTimeoutMs);
    const { protocolVersion } = answer as { readonly protocolVersion?: unknown };
    if (!REVISIONS.some((known) => known === protocolVersion)) {
      throw new Error(`the server speaks revision ${JSON.stringify(protocolVersion)} of MCP, which is unknown here`);
    }
    link.notify('notifications/initialized');
    const listed = await link.request('tools/list', {}, options.startTimeoutMs);
    link.opened();
    return {
      pid: child.pid,
      definitions: JSON.stringify((listed as { readonly tools?: unknown }).tools ?? []),
      call: async (name, args) =>
        (await link.request('tools/call', { name, arguments: args }, options.callTimeoutMs)) as ToolsCallResult,
      kill: (signal) => void child.kill(signal),
      close: () => end(child, link),
    };
  } catch (error) {
    await end(child, link);
    throw error;
  }
}

interface Link {
  readonly request: (method: string, params: object, timeoutMs: number) => Promise<unknown>;
  readonly notify: (method: string) => void;
  /** From here on a loss is reported. */
  readonly opened: () => void;
  readonly closing: () => void;
}

function createLink(child: ChildProcessWithoutNullStreams, { onLost, abort }: ConnectOptions): Link {
  const pending = new Map<number, Pending>();
  let state: 'opening' | 'open' | 'over' = 'opening';
  let loss: Loss | undefined;
  let lastId = 0;
  function lose(found: Loss): void {
    loss ??= found;
    for (const { reject } of pending.values()) reject(new Error(loss.message));
    pending.clear();
    if (state === 'open') onLost(loss);
    state = 'over';
  }
  abort.addEventListener('abort', () => {
    if (state === 'opening') lose({ reason: 'unreachable', message: 'the run was stopped' });
  });
  child.on('error', (error) => lose({ reason: 'exited', message: error.message }));
  child.on('exit', (code, signal) => {
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
    const exit = { exitCode: code ?? undefined, signal: signal ?? undefined };
    lose({ reason: 'exited', message: `the server ended ${how}`, ...exit });
  });
  child.stdin.on('error', () => undefined);
  child.stderr.on('error', () => undefined).resume();
  readLines(child.stdout, {
    maxBytes: MAX_LINE_BYTES,
    onLine: (line) => settle(line, pending),
    onOverflow: () => lose({ reason: 'unreachable', message: `the server sent a line above ${MAX_LINE_BYTES} bytes` }),
  });
  const send = (message: object): void => {
    if (child.stdin.writable) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  function request(method: string, params: object, timeoutMs: number): Promise<unknown> {
    if (loss !== undefined) return Promise.reject(new Error(loss.message));
    const id = (lastId += 1);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        lose({ reason: 'unreachable', message: `no answer to ${method} within ${timeoutMs} ms` });
      }, timeoutMs);
      const settled = <Value>(done: (value: Value) => void): ((value: Value) => void) => {
        return (value) => {
          clearTimeout(late);
          done(value);
        };
      };
      pending.set(id, { resolve: settled(resolve), reject: settled(reject) });
      send({ id, method, params });
    });
  }
  return {
    request,
    notify: (method) => send({ method }),
    opened: () => {
      if (state === 'opening') state = 'open';
    },
    closing: () => {
      state = 'over';
    },
  };
}

/** What is not JSON is noise on the wrong stream: clients put up with it. */
function settle(line: string, pending: Map<number, Pending>): void {
  let message: { id?: unknown; result?: unknown; error?: { message?: unknown } };
  try {
    message = JSON.parse(line) as typeof message;
  } catch {
    return;
  }
  const id = typeof message === 'object' && message !== null ? message.id : undefined;
  const waiting = typeof id === 'number' ? pending.get(id) : undefined;
  if (waiting === undefined) return;
  pending.delete(id as number);
  if (message.error === undefined) waiting.resolve(message.result ?? {});
  else waiting.reject(new Error(JSON.stringify(message.error.message ?? 'unknown error')));
}

async function end(child: ChildProcessWithoutNullStreams, link: Link): Promise<void> {
  link.closing();
  const gone = (): boolean => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  child.stdin.end();
  for (const signal of [undefined, 'SIGTERM', 'SIGKILL'] as const) {
    if (gone()) break;
    if (signal !== undefined) child.kill(signal);
    const timer = new AbortController();
    const late = setTimeout(() => timer.abort(), CLOSE_MS);
    await once(child, 'exit', { signal: timer.signal }).catch(() => undefined);
    clearTimeout(late);
  }
  // Processes it started may hold its pipes open; they are not waited for.
  for (const stream of [child.stdout, child.stderr, child.stdin]) stream.destroy();
}
