import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LOG_LINE, type LogLine } from '@jeeves/protocol';
import { onTestFinished } from 'vitest';
import { PROGRAM } from '../cli/program.ts';

/** A server with every fault that a gateway must survive; see the file for what its options mean. */
export const TEST_SERVER: string = fileURLToPath(
  new URL('../../../../packages/gateway/test/upstream-server.mjs', import.meta.url),
);

const MODULES = new URL('../../../../packages/gateway/node_modules/', import.meta.url);

/** The reference servers from npm. */
export const EVERYTHING: string = fileURLToPath(
  new URL('@modelcontextprotocol/server-everything/dist/index.js', MODULES),
);
export const FILESYSTEM: string = fileURLToPath(
  new URL('@modelcontextprotocol/server-filesystem/dist/index.js', MODULES),
);
export const PLAYWRIGHT: string = fileURLToPath(new URL('@playwright/mcp/cli.js', MODULES));

/** An entry of `mcpServers` for a server in a file of JavaScript. */
export function script(file: string, args: readonly string[] = [], more: object = {}): object {
  return { command: process.execPath, args: [file, ...args], ...more };
}

/** An entry for the test server. */
export function faulty(options: object = {}, more: object = {}): object {
  return script(TEST_SERVER, [JSON.stringify(options)], more);
}

export interface Content {
  readonly type: string;
  readonly text?: string;
}

export interface Result extends Record<string, unknown> {
  readonly content: readonly Content[];
  readonly isError?: boolean;
}

export interface Tool extends Record<string, unknown> {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Record<string, unknown> };
}

export interface GatewayProcess {
  readonly child: ChildProcess;
  readonly home: string;
  readonly events: readonly LogLine[];
  /** Notifications that came. */
  readonly notes: readonly string[];
  readonly ask: (method: string, params?: object) => Promise<Record<string, unknown>>;
  readonly list: () => Promise<readonly Tool[]>;
  readonly call: (name: string, args?: object) => Promise<Result>;
  /** Calls an upstream's tool through the gateway's own. */
  readonly evaluate: (toolName: string, args?: object, more?: object) => Promise<Result>;
  /** The exit code, once there is one. */
  readonly ended: Promise<number | null>;
  /** Closes the input and waits for the end. */
  readonly close: () => Promise<number | null>;
}

export interface GatewayOptions {
  readonly servers: Readonly<Record<string, object>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Of an earlier gateway, so that this one remembers; without it nothing is kept. */
  readonly home?: string;
  readonly client?: string;
}

/** A home of its own, which lives as long as the running test. */
export function freshHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'jeeves-gateway-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

export function configIn(home: string, servers: Readonly<Record<string, object>>): string {
  const path = join(home, 'servers.json');
  writeFileSync(path, JSON.stringify({ mcpServers: servers }));
  return path;
}

/** The real program with real servers behind it, from the other end of its pipes; it ends with the running test. */
export async function startGateway(options: GatewayOptions): Promise<GatewayProcess> {
  const home = options.home ?? freshHome();
  const config = configIn(home, options.servers);
  // Opening a file takes a while, and nobody else will look into it.
  const store = options.home === undefined ? { JEEVES_STORE: 'memory:' } : {};
  const child = spawn(process.execPath, [PROGRAM, 'gateway', '--config', config, ...(options.args ?? [])], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, ...store, ...options.env },
  });
  const gateway = attach(child, home);
  onTestFinished(async () => void (await gateway.close()));
  await gateway.ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: options.client ?? 'test', version: '1' },
  });
  return gateway;
}

function attach(child: ReturnType<typeof spawn>, home: string): GatewayProcess {
  const events: LogLine[] = [];
  const notes: string[] = [];
  const waiting = new Map<unknown, (message: Record<string, unknown>) => void>();
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let lastId = 0;
  if (child.stdout === null || child.stderr === null || child.stdin === null) throw new Error('no pipes');
  const { stdin } = child;
  stdin.on('error', () => undefined);
  createInterface({ input: child.stderr }).on('line', (line) => events.push(LOG_LINE.parse(JSON.parse(line))));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Record<string, unknown>;
    if (message['id'] === undefined) notes.push(String(message['method']));
    waiting.get(message['id'])?.(message);
    waiting.delete(message['id']);
  });

  async function ask(method: string, params: object = {}): Promise<Record<string, unknown>> {
    lastId += 1;
    const id = lastId;
    const reply = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const gone = exited.then(() => Promise.reject(new Error(`the gateway ended before it answered ${method}`)));
    return await Promise.race([reply, gone]);
  }

  const call = async (name: string, args: object = {}): Promise<Result> => {
    const reply = await ask('tools/call', { name, arguments: args });
    if (reply['error'] !== undefined) throw new Error(JSON.stringify(reply['error']));
    return reply['result'] as Result;
  };
  return {
    child,
    home,
    events,
    notes,
    ask,
    call,
    list: async () => ((await ask('tools/list'))['result'] as { tools: Tool[] }).tools,
    evaluate: (toolName, args = {}, more = {}) => call('automatic_eval', { toolName, arguments: args, ...more }),
    ended: exited,
    close: () => {
      stdin.end();
      return exited;
    },
  };
}

export function textOf({ content }: Result): string {
  return content[0]?.text ?? '';
}

/** Runs a command of the program to its end. */
export function runCommand(
  home: string,
  ...args: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [PROGRAM, 'gateway', ...args], {
      cwd: home,
      env: { PATH: process.env['PATH'], HOME: home },
    });
    let out = '';
    let err = '';
    child.stdin.end();
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')));
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

export async function until(holds: () => boolean | Promise<boolean>, what: string, ms = 15_000): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(20)) if (await holds()) return;
  throw new Error(`never: ${what}`);
}
