import type { Emit } from '@jeeves/protocol';
import type { ServerConfig } from '../config/server.ts';
import { messageOf, UpstreamFailure } from './failure.ts';
import { createKnownTools, type KnownTools } from './known-tools.ts';
import { createPool, type Pool } from './pool.ts';
import { openSession, type Session, type SessionEvents } from './session.ts';
import type { StateStore } from './state.ts';
import type { UpstreamCall, UpstreamResult } from './upstream.ts';
import type { OpenWire } from './wire.ts';

export interface ServerOptions {
  readonly config: ServerConfig;
  readonly state: StateStore;
  /** A fresh way to the server; for a program, a fresh process. */
  readonly openWire: () => OpenWire;
  readonly version: string;
  readonly emit: Emit;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Its tools, or what is known of them, are different now. */
  readonly onChanged: () => void;
}

/** One upstream server. It is started when it is needed, and nothing that it does harms the others. */
export interface UpstreamServer extends Pick<KnownTools, 'tools' | 'known'> {
  readonly config: ServerConfig;
  /** Resolves when what an earlier process remembered is known. */
  readonly loaded: Promise<void>;
  /** What went wrong last. */
  readonly failure: () => string | undefined;
  /** Resolves when its tools are known, or cannot be for now. Asking again tries again. */
  readonly listed: () => Promise<void>;
  readonly call: (call: Omit<UpstreamCall, 'server'>) => Promise<UpstreamResult>;
  readonly close: () => Promise<void>;
}

/** A first start may have to download the server. */
const START_MS = 30_000;
/** What is older is still used, and asked for again. */
const FRESH_MS = 24 * 3600 * 1000;
/** A server that was never listed is tried so often without being asked for. */
const MAX_ATTEMPTS = 5;
const RETRY_MS = 1000;
/** More calls at once than one server has use for. */
const MAX_IN_FLIGHT = 128;

export function createServer(options: ServerOptions): UpstreamServer {
  const { config, emit } = options;
  const known = createKnownTools(options);
  let failure: string | undefined;
  const report = (message: string): void => {
    failure = message;
    emit({ event: 'gateway.upstream_failed', data: { server: config.name, message } });
  };
  const refresh = createRefresh(known, report);
  const pool = createPool({
    config,
    open: (events, signal) => open(options, events, signal),
    onReady: refresh.begin,
    onListChanged: refresh.begin,
    onFailed: report,
    onStopped: (reason) => emit({ event: 'gateway.upstream_stopped', data: { server: config.name, reason } }),
  });
  const loaded = known.load();
  let listing: Promise<void> | undefined;
  let attempts = 0;
  let inFlight = 0;
  let retry: NodeJS.Timeout | undefined;

  async function list(): Promise<void> {
    await loaded;
    if (known.known() && options.now() - known.listedAt() < FRESH_MS) return;
    if (pool.remaining() > 0) return;
    const listed = startAndList(pool, known, refresh);
    if (known.known()) return;
    await listed;
    attempts += 1;
    if (!known.known() && attempts < MAX_ATTEMPTS) retryLater();
  }

  function retryLater(): void {
    clearTimeout(retry);
    retry = setTimeout(() => void listOnce(), Math.max(RETRY_MS, pool.remaining())).unref();
  }

  function listOnce(): Promise<void> {
    listing ??= list().finally(() => {
      listing = undefined;
    });
    return listing;
  }

  return {
    config,
    tools: known.tools,
    known: known.known,
    loaded,
    failure: () => failure,
    listed: listOnce,
    call: async ({ name, args, routingKey, signal, progress }) => {
      if (inFlight >= MAX_IN_FLIGHT) throw new UpstreamFailure('backing_off', `already works on ${inFlight} calls`);
      const deadline = performance.now() + config.timeoutMs;
      inFlight += 1;
      try {
        return await pool.use({
          routingKey,
          patience: { deadline, signal },
          isCall: true,
          work: (session) => session.call(name, args, { timeoutMs: left(deadline), signal, progress }),
        });
      } finally {
        inFlight -= 1;
      }
    },
    close: async () => {
      clearTimeout(retry);
      await pool.close();
    },
  };
}

async function open(
  { config, openWire, version, emit }: ServerOptions,
  events: SessionEvents,
  signal: AbortSignal,
): Promise<Session> {
  const started = performance.now();
  const session = await openSession({ openWire: openWire(), events, version, timeoutMs: START_MS, signal });
  const data = { server: config.name, duration_ms: Math.round(performance.now() - started) };
  emit({ event: 'gateway.upstream_started', data });
  return session;
}

interface Refresh {
  /** Whoever asks while a listing is under way gets one that was begun after asking. */
  readonly begin: (session: Session) => void;
  /** Resolves when none is under way. */
  readonly settled: () => Promise<void>;
}

function createRefresh(known: KnownTools, report: (message: string) => void): Refresh {
  let running: Promise<void> | undefined;
  let next: Session | undefined;

  async function run(first: Session): Promise<void> {
    for (let session: Session | undefined = first; session !== undefined; session = next) {
      next = undefined;
      await list(session);
    }
    running = undefined;
  }

  async function list(session: Session): Promise<void> {
    try {
      await known.update(await session.list());
    } catch (error) {
      // A server that ended meanwhile has said so itself.
      const ended = error instanceof UpstreamFailure && error.code === 'exited';
      if (!ended) report(`cannot be listed: ${messageOf(error)}`);
    }
  }

  return {
    begin: (session) => {
      if (running === undefined) running = run(session);
      else next = session;
    },
    settled: () => running ?? Promise.resolve(),
  };
}

async function startAndList(pool: Pool, known: KnownTools, refresh: Refresh): Promise<void> {
  const patience = { deadline: performance.now() + 2 * START_MS, signal: new AbortController().signal };
  // Every instance that comes up is listed; this one is there for nothing else.
  const work = async (session: Session): Promise<void> => {
    await refresh.settled();
    if (known.known()) return;
    refresh.begin(session);
    await refresh.settled();
  };
  await pool.use({ patience, isCall: false, work }).catch(() => undefined);
}

/** At least something, so that a call which comes too late ends in an honest timeout. */
function left(deadline: number): number {
  return Math.max(1, deadline - performance.now());
}
