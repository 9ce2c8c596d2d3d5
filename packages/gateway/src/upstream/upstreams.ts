import { randomUUID } from 'node:crypto';
import type { Emit } from '@jeeves/protocol';
import type { Environment } from '../config/expand.ts';
import type { ServerConfig } from '../config/server.ts';
import { hashOf } from '../safety/hash.ts';
import { stripHidden } from '../safety/hidden.ts';
import { UpstreamFailure } from './failure.ts';
import { createFamily, type Family } from './family.ts';
import { httpWire } from './http.ts';
import { listingOf } from './listing.ts';
import { purposeOf } from './purpose.ts';
import { createRoster } from './roster.ts';
import { createServer, type UpstreamServer } from './server.ts';
import { createStateStore } from './state.ts';
import type { UnusableServer } from './status.ts';
import { stdioWire } from './stdio.ts';
import type { CatalogueSnapshot, UpstreamCall, UpstreamResult, Upstreams, UpstreamTool } from './upstream.ts';
import { waitFor } from './wait.ts';
import type { OpenWire } from './wire.ts';

export interface UpstreamsOptions {
  readonly servers: readonly ServerConfig[];
  /** The gateway's own environment: upstreams get the little of it that every program needs. */
  readonly env: Environment;
  /** Where definitions are remembered. */
  readonly stateDirectory: string;
  readonly version: string;
  readonly emit: Emit;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly fetch: typeof globalThis.fetch;
  readonly pid: number;
  /** Has the listener called when the process ends, for whatever reason it still can. */
  readonly onExit: (listener: () => void) => void;
  /** Servers that are configured in a way that cannot be used: named to whoever asks, never started. */
  readonly unusable?: readonly UnusableServer[];
}

const MAX_STDERR_SHOWN = 500;

export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const listeners = new Set<(snapshot: CatalogueSnapshot) => void>();
  let current: CatalogueSnapshot | undefined;
  let version = 0;
  const family = createFamily(options.pid);
  options.onExit(family.killGroups);
  void family.killOrphans();
  const roster = createRoster({
    open: (config) => openServer(config, { ...options, family }, changed),
    servers: options.servers,
    unusable: options.unusable ?? [],
    onChanged: changed,
  });
  const { all } = roster;
  const listing = listingOf(all);

  function changed(): void {
    current = undefined;
    version += 1;
    for (const listener of listeners) listener(snapshot());
  }

  function snapshot(): CatalogueSnapshot {
    current ??= snapshotOf(all(), version);
    return current;
  }

  async function listedFor(displayName: string, signal: AbortSignal): Promise<string | undefined> {
    const server = all().find(({ config: { prefix }, known }) => !known() && displayName.startsWith(`${prefix}__`));
    if (server === undefined) return undefined;
    const { name, timeoutMs } = server.config;
    const patience = { deadline: performance.now() + timeoutMs, signal };
    await waitFor(server.listed(), patience, '').catch(() => signal.throwIfAborted());
    return server.known() ? undefined : `the server "${name}" ${server.status().problem ?? 'is still starting'}`;
  }

  function serverOf(displayName: string): string | undefined {
    return all().find(({ config: { prefix } }) => displayName.startsWith(`${prefix}__`))?.config.name;
  }

  async function call({ server: name, ...rest }: UpstreamCall): Promise<UpstreamResult> {
    const server = all().find(({ config }) => config.name === name);
    if (server === undefined) return failed(name, 'is not configured');
    return await server.call(rest).catch((error: unknown) => failureResult(name, error));
  }

  return {
    known: async () => {
      await Promise.all(all().map(({ loaded }) => loaded));
      return snapshot();
    },
    listedFor,
    serverOf,
    tools: async (wait) => {
      await listing.started(wait);
      return snapshot();
    },
    refreshed: async (wait) => {
      await listing.refreshed(wait);
      return snapshot();
    },
    status: roster.status,
    purposes: () => all().map((server) => ({ server: server.config.name, purpose: purposeOf(server) })),
    loaded: Promise.all(all().map(({ loaded }) => loaded)).then(() => undefined),
    call,
    reconfigure: roster.reconfigure,
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      listeners.clear();
      await Promise.all(all().map((server) => server.close()));
      await family.settled();
    },
  };
}

interface Surroundings extends UpstreamsOptions {
  readonly family: Family;
}

function openServer(config: ServerConfig, options: Surroundings, onChanged: () => void): UpstreamServer {
  const { stateDirectory, version, emit, now } = options;
  const state = createStateStore(stateDirectory);
  return createServer({ config, state, version, emit, now, onChanged, openWire: () => wireOf(config, options) });
}

function wireOf({ name, target, maxMessageBytes }: ServerConfig, options: Surroundings): OpenWire {
  const { env, emit, fetch, family } = options;
  if (target.kind === 'http') return httpWire({ target, maxMessageBytes, fetch });
  const onStderr = (tail: string): void => {
    const shown = stripHidden(tail).trim().slice(-MAX_STDERR_SHOWN);
    emit({ event: 'gateway.upstream_stderr', data: { server: name, tail: shown } });
  };
  return stdioWire({ target, maxMessageBytes, env, instance: randomUUID(), family, onStderr });
}

function snapshotOf(servers: readonly UpstreamServer[], version: number): CatalogueSnapshot {
  const byName = new Map<string, UpstreamTool>();
  for (const tool of servers.flatMap((server) => server.tools())) {
    byName.set(tool.displayName, tool);
  }
  const tools = [...byName.values()].sort((left, right) => (left.displayName < right.displayName ? -1 : 1));
  return { tools, etag: hashOf(tools.map(({ hash }) => hash)), version };
}

function failureResult(server: string, error: unknown): UpstreamResult {
  if (!(error instanceof UpstreamFailure)) throw error;
  const { code, message } = error;
  // The server's own words are a sentence of their own.
  return failed(server, code === 'upstream_error' ? `answered with an error: ${message}` : message);
}

function failed(server: string, what: string): UpstreamResult {
  return { content: [{ type: 'text', text: `error: the server "${server}" ${what}` }], isError: true };
}
