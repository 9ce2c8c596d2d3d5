import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { JeevesEvent } from '@jeeves/protocol';
import { onTestFinished } from 'vitest';
import { parseConfig } from '../src/config/parse.ts';
import type { ServerConfig } from '../src/config/server.ts';
import type { UpstreamResult, Upstreams } from '../src/upstream/upstream.ts';
import { createUpstreams, type UpstreamsOptions } from '../src/upstream/upstreams.ts';

export const TEST_SERVER: string = fileURLToPath(new URL('./upstream-server.mjs', import.meta.url));

export interface ServerFault {
  readonly fault?: string;
  readonly definitions?: readonly object[];
  /** So many tools that are all alike. */
  readonly many?: number;
  readonly delayMs?: number;
  /** How long it takes until it answers the handshake. */
  readonly startMs?: number;
  readonly instructions?: string;
  readonly pidFile?: string;
  readonly pageSize?: number;
  readonly protocolVersion?: string;
}

/** An entry of `mcpServers` that starts the test server. */
export function entry(options: ServerFault = {}, more: object = {}): object {
  return { command: process.execPath, args: [TEST_SERVER, JSON.stringify(options)], ...more };
}

export function serversOf(
  entries: Readonly<Record<string, object>>,
  env: NodeJS.ProcessEnv = {},
): readonly ServerConfig[] {
  const text = JSON.stringify({ mcpServers: entries });
  const { servers, problems } = parseConfig(text, { env, directory: '/', cwd: tmpdir() });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return servers;
}

/** A directory that lives as long as the running test. */
export function temporary(): string {
  const path = mkdtempSync(join(tmpdir(), 'jeeves-gateway-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export interface World extends Upstreams {
  readonly events: readonly JeevesEvent[];
  readonly stateDirectory: string;
  /** Calls a tool with no more patience than a test has. */
  readonly ask: (server: string, name: string, args?: object, routingKey?: string) => Promise<UpstreamResult>;
  /** What the process would do at its end. */
  readonly exit: () => void;
}

/** Real servers behind real upstreams, ended with the test. */
export function world(entries: Readonly<Record<string, object>>, options: Partial<UpstreamsOptions> = {}): World {
  const events: JeevesEvent[] = [];
  const exits: (() => void)[] = [];
  const stateDirectory = options.stateDirectory ?? join(temporary(), 'state');
  const upstreams = createUpstreams({
    servers: serversOf(entries),
    env: { PATH: process.env['PATH'] },
    version: '0.0.0',
    emit: (event) => void events.push(event),
    now: Date.now,
    fetch: globalThis.fetch,
    pid: process.pid,
    onExit: (listener) => exits.push(listener),
    ...options,
    stateDirectory,
  });
  onTestFinished(() => upstreams.close());
  const { signal } = new AbortController();
  return {
    ...upstreams,
    events,
    stateDirectory,
    ask: (server, name, args = {}, routingKey) =>
      upstreams.call({ server, name, args: { ...args }, routingKey, signal }),
    exit: () => exits.forEach((listener) => listener()),
  };
}

export function textOf(result: UpstreamResult): string {
  const [block] = result.content;
  return String(block?.['text']);
}

export async function until(holds: () => boolean | Promise<boolean>, what: string, ms = 15_000): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(20)) if (await holds()) return;
  throw new Error(`never: ${what}`);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** The processes that a test server and what it started have written down. */
export function pidsIn(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
