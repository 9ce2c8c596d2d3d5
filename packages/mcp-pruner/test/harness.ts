import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LOG_LINE, type LogLine } from '@jeeves/protocol';

/** The program as it is installed. */
export const ENTRY: string = fileURLToPath(new URL('../dist/index.js', import.meta.url));

export interface Message {
  readonly jsonrpc: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

export interface Result extends Record<string, unknown> {
  readonly content?: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
}

export interface ServerOptions {
  /** The root; a fresh empty directory when absent. */
  readonly root?: string;
  /** Set over the harness's own; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  /** Introduce ourselves under this name; `false` leaves the handshake to the test. */
  readonly client?: string | false;
  /** Options of node itself. */
  readonly nodeArgs?: readonly string[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** The real process, from the other end of its pipes. */
export interface ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly root: string;
  /** Everything that came over standard output, parsed; a line that is not JSON-RPC fails the next wait. */
  readonly messages: readonly Message[];
  /** Everything that came over standard error, checked against the contract. */
  readonly events: readonly LogLine[];
  readonly exit: Promise<Exit>;
  readonly write: (bytes: string | Uint8Array) => Promise<void>;
  readonly notify: (method: string, params?: unknown) => void;
  /** Sends a request and waits for its reply. */
  readonly ask: (method: string, params?: unknown, id?: string | number) => Promise<Message>;
  /** Calls a tool and gives its result; an error of the protocol is thrown. */
  readonly call: (name: string, args: object) => Promise<Result>;
  /** The reply to a request that was written by hand. */
  readonly reply: (id: string | number | null) => Promise<Message>;
  readonly until: (holds: () => boolean, withinMs?: number) => Promise<void>;
  /** Closes standard input and waits for the end. */
  readonly close: () => Promise<Exit & { readonly ms: number }>;
}

const WAIT_MS = 15_000;

/** Starts the program with nothing of this process's environment but the path. */
export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const root = options.root ?? temporaryDirectory();
  const server = attach(spawnServer(root, options), root);
  if (options.client !== false) await introduce(server, options.client ?? 'harness');
  return server;
}

export function spawnServer(
  root: string,
  { env, args = [], nodeArgs = [] }: ServerOptions = {},
): ChildProcessWithoutNullStreams {
  const own = {
    PATH: process.env.PATH,
    HOME: root,
    MCP_PRUNER_CWD: root,
    PRUNER_URL: 'embedded:',
    JEEVES_STORE: 'memory:',
    MCP_PRUNER_SHELL_LOGIN: '0',
  };
  return spawn(process.execPath, [...nodeArgs, ENTRY, ...args], { cwd: root, env: { ...own, ...env }, stdio: 'pipe' });
}

export async function introduce(server: ServerProcess, name: string): Promise<Message> {
  const clientInfo = { name, version: '1.0.0' };
  const reply = await server.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 0);
  server.notify('notifications/initialized');
  return reply;
}

const made: string[] = [];

/** A directory that `cleanUp` removes. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'jeeves-server-'));
  made.push(path);
  return path;
}

const running = new Set<ChildProcessWithoutNullStreams>();

/** Ends what tests left running and removes their directories. For `afterAll`. */
export async function cleanUp(): Promise<void> {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
}

function attach(child: ChildProcessWithoutNullStreams, root: string): ServerProcess {
  const messages: Message[] = [];
  const events: LogLine[] = [];
  const problems: string[] = [];
  const byId = new Map<string | number | null, Message[]>();
  let ids = 1000;
  running.add(child);
  const exit = once(child, 'exit').then(([code, signal]: unknown[]) => {
    running.delete(child);
    return { code, signal } as Exit;
  });
  child.stdin.on('error', () => undefined);
  onLines(child.stdout, (line) => {
    const message = parsed(line) as Message | undefined;
    if (message?.jsonrpc !== '2.0') problems.push(`on standard output: ${line.slice(0, 200)}`);
    else {
      messages.push(message);
      if (message.id !== undefined) byId.set(message.id, [...(byId.get(message.id) ?? []), message]);
    }
  });
  onLines(child.stderr, (line) => {
    const event = LOG_LINE.safeParse(parsed(line));
    if (event.success) events.push(event.data);
    else problems.push(`on standard error: ${line.slice(0, 200)}`);
  });

  const until = async (holds: () => boolean, withinMs = WAIT_MS): Promise<void> => {
    for (const end = Date.now() + withinMs; !holds(); await sleep(2)) {
      if (problems.length > 0) throw new Error(problems.join('\n'));
      if (Date.now() < end) continue;
      throw new Error(`waited in vain; last messages: ${JSON.stringify(messages.slice(-3)).slice(0, 2000)}`);
    }
  };
  const reply = async (id: string | number | null): Promise<Message> => {
    await until(() => byId.has(id));
    return byId.get(id)?.at(-1) as Message;
  };
  const ask = (method: string, params?: unknown, id: string | number = (ids += 1)): Promise<Message> => {
    byId.delete(id);
    child.stdin.write(lineOf({ jsonrpc: '2.0', id, method, params }));
    return reply(id);
  };
  return {
    child,
    root,
    messages,
    events,
    exit,
    until,
    reply,
    ask,
    write: (bytes) => new Promise((resolve) => void child.stdin.write(bytes, () => resolve())),
    notify: (method, params) => void child.stdin.write(lineOf({ jsonrpc: '2.0', method, params })),
    call: async (name, args) => {
      const { result, error } = await ask('tools/call', { name, arguments: args });
      if (result === undefined) throw new Error(JSON.stringify(error));
      return result;
    },
    close: async () => {
      const started = performance.now();
      child.stdin.end();
      return { ...(await exit), ms: performance.now() - started };
    },
  };
}

export function lineOf(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}

function onLines(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let parts: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let newline = chunk.indexOf(10); newline >= 0; newline = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, newline));
      take(Buffer.concat(parts).toString('utf8'));
      parts = [];
      start = newline + 1;
    }
    parts.push(chunk.subarray(start));
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
