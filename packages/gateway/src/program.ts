import type { Readable, Writable } from 'node:stream';
import {
  connectStdio,
  createEventSink,
  createHttpListener,
  createMcpRoute,
  type EventSink,
  greet,
  openToken,
} from '@jeeves/mcp-pruner/host';
import { ConfigError } from './config/server.ts';
import { watchConfig } from './config/watch.ts';
import { type ConfigSource, type LoadedConfig, loadConfig } from './config.ts';
import { CALL_LIMITS } from './gateway.ts';
import { createServer, type Server, type ServerDependencies } from './server.ts';

/** How the gateway was started. */
export interface GatewayRun
  extends Required<Pick<ConfigSource, 'cwd' | 'env'>>,
    Omit<ServerDependencies, 'config' | 'stays' | 'emit'> {
  /** The file that was named; absent means the user's own. */
  readonly configPath?: string | undefined;
  /** Servers with one of these tags, and those without any; none given means all. */
  readonly tags?: readonly string[];
  /** Where events go. */
  readonly log: Writable;
  /** Every event is also added here. */
  readonly eventFile?: string | undefined;
  /** Resolves when the process is told to stop. */
  readonly stopped: Promise<unknown>;
}

export interface StdioStreams {
  readonly input: Readable;
  /** Nothing else may write to it. */
  readonly reply: Writable;
}

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
  /** What callers must show; one is made up when absent. */
  readonly token?: string | undefined;
  /** Names that the machine is reached by. */
  readonly allowedHosts: readonly string[];
  /** Told where requests are taken. */
  readonly ready?: (bound: Bound) => void;
}

export interface Bound {
  readonly host: string;
  readonly port: number;
  readonly tokenFile?: string | undefined;
}

// How long each step of the end may take.
const DRAIN_MS = 300;
const HTTP_DRAIN_MS = 5000;
const ABORT_MS = 1000;

/**
 * Serves one peer over a pair of streams, until it goes or the process is told to stop. Throws a `ConfigError` when
 * there is nothing to serve.
 */
export async function runStdio(run: GatewayRun, { input, reply }: StdioStreams): Promise<void> {
  const opened = open(run, true);
  const { server } = opened;
  let isLoaded = false;
  const loaded = server.loaded.then(() => {
    isLoaded = true;
  });
  const load = (): Promise<Server['openDispatcher']> => loaded.then(() => server.openDispatcher);
  // The handshake names the servers and what they are for, so it waits until what is remembered of them is read.
  const greeting: Parameters<typeof connectStdio>[0]['greet'] = (frame) =>
    isLoaded ? greet(frame, server.identity) : undefined;
  const connection = connectStdio({ greet: greeting, load }, input, reply);
  opened.sink.emit({ event: 'gateway.ready', data: { servers: opened.servers } });
  const why = await Promise.race([connection.ended, run.stopped.then(() => 'stop' as const)]);
  // A client that closes its side may still be reading; one that kills, or is gone, is not.
  const graceful = await connection.stop({ drainMs: why === 'input_ended' ? DRAIN_MS : 0, abortMs: ABORT_MS });
  input.destroy();
  await end(opened, run, graceful);
}

/** Serves `/mcp` until the process is told to stop. Every caller needs the token: programs start at its word. */
export async function runHttp(run: GatewayRun, address: HttpAddress): Promise<void> {
  const opened = open(run, false);
  const { sink, server, servers } = opened;
  const { home, pid, randomBytes, now } = run;
  const token = openToken({ given: address.token, home, name: `gateway-${pid}`, randomBytes });
  const listener = createHttpListener({
    routes: [createMcpRoute({ host: (_, session) => server.hostFor(session), randomBytes })],
    guard: { allowedHosts: address.allowedHosts, token: token.value, tokenRequired: true },
    limits: CALL_LIMITS,
    emit: sink.emit,
    now,
  });
  try {
    const bound = await listener.listen(address.host, address.port);
    sink.emit({ event: 'gateway.ready', data: { servers, ...bound, token_file: token.file } });
    address.ready?.({ ...bound, tokenFile: token.file });
    await run.stopped;
    await end(opened, run, await listener.stop({ drainMs: HTTP_DRAIN_MS, abortMs: ABORT_MS }));
  } catch (error) {
    await server.close();
    throw error;
  } finally {
    token.forget();
  }
}

interface Opened {
  readonly sink: EventSink;
  readonly server: Server;
  readonly servers: number;
  readonly started: number;
  readonly stopWatching: () => void;
}

function open(run: GatewayRun, stays: boolean): Opened {
  const started = run.now();
  const config = configOf(run);
  const sink = createEventSink({ stream: run.log, file: run.eventFile, now: run.now });
  for (const data of config.problems) sink.emit({ event: 'gateway.config_invalid', data });
  const server = createServer({ ...run, config, stays, emit: sink.emit });
  const stopWatching = watchConfig(config.path, () => reload(run, server, sink));
  return { sink, server, servers: config.servers.length, started, stopWatching };
}

function configOf(run: GatewayRun): LoadedConfig {
  const loaded = loadConfig({ path: run.configPath, cwd: run.cwd, home: run.home, env: run.env });
  return { ...loaded, servers: loaded.servers.filter(({ tags }) => isWanted(tags, run.tags ?? [])) };
}

/** A file that cannot be used, as one that is being written, changes nothing: what runs goes on. */
async function reload(run: GatewayRun, server: Server, { emit }: EventSink): Promise<void> {
  try {
    const config = configOf(run);
    for (const data of config.problems) emit({ event: 'gateway.config_invalid', data });
    await server.reconfigure(config);
    emit({ event: 'gateway.reloaded', data: { servers: config.servers.length } });
  } catch (error) {
    const { field, message } = error instanceof ConfigError ? error : { field: '', message: String(error) };
    emit({ event: 'gateway.config_invalid', data: { field, message } });
  }
}

function isWanted(tags: readonly string[], wanted: readonly string[]): boolean {
  return tags.length === 0 || wanted.length === 0 || tags.some((tag) => wanted.includes(tag));
}

async function end(
  { sink, server, started, stopWatching }: Opened,
  { now }: GatewayRun,
  graceful: boolean,
): Promise<void> {
  stopWatching();
  await server.close();
  sink.emit({ event: 'gateway.stopped', data: { graceful, duration_ms: now() - started } });
  await sink.flush();
}
