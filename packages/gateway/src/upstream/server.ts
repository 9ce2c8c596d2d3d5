import type { Emit } from '@jeeves/protocol';
import type { ServerConfig } from '../config/server.ts';
import { withNotes } from '../outcome.ts';
import { UpstreamFailure } from './failure.ts';
import { createHealth } from './health.ts';
import type { StopReason } from './instance.ts';
import { createKnownTools, type KnownTools } from './known-tools.ts';
import { createPool, type Pool } from './pool.ts';
import { createRefresh, START_MS, startAndList } from './refresh.ts';
import { openSession, type Session, type SessionEvents } from './session.ts';
import type { StateStore } from './state.ts';
import type { ServerStatus } from './status.ts';
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
export interface UpstreamServer extends Pick<KnownTools, 'tools' | 'known' | 'about'> {
  readonly config: ServerConfig;
  /** Resolves when what an earlier process remembered is known. */
  readonly loaded: Promise<void>;
  readonly status: () => ServerStatus;
  /** When a question for tools stops waiting for its first listing, by the clock of `performance`. */
  readonly waitUntil: number;
  /** Resolves when its tools are known, or cannot be for now. Asking again tries again. */
  readonly listed: () => Promise<void>;
  /** Asks the server anew, however fresh its list is. Resolves when it answered or cannot for now. */
  readonly relisted: () => Promise<void>;
  readonly call: (call: Omit<UpstreamCall, 'server'>) => Promise<UpstreamResult>;
  readonly close: () => Promise<void>;
}

/** What another process listed longer ago is offered at once, and checked in the background. */
const FRESH_MS = 10 * 60 * 1000;
/** A server that was never listed is tried so often without being asked for. */
const MAX_ATTEMPTS = 5;
const RETRY_MS = 1000;
/** More calls at once than one server has use for. */
const MAX_IN_FLIGHT = 128;

export function createServer(options: ServerOptions): UpstreamServer {
  const { config, emit } = options;
  const known = createKnownTools(options);
  const health = createHealth(config.name, emit);
  const refresh = createRefresh(known, health.listed);
  const waitUntil = performance.now() + config.startMs;
  const pool = createPool({
    config,
    open: (events, signal) => health.watch(open(options, events, signal)),
    onReady: refresh.begin,
    onListChanged: refresh.begin,
    onFailed: health.failed,
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
    const listed = startAndList(pool, refresh);
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

  async function relisted(): Promise<void> {
    await loaded;
    // A listing that is under way may have been answered before this question was asked.
    await listing;
    if (pool.remaining() === 0) await startAndList(pool, refresh);
  }

  async function call(wanted: Omit<UpstreamCall, 'server'>): Promise<UpstreamResult> {
    if (inFlight >= MAX_IN_FLIGHT) throw new UpstreamFailure('backing_off', `already works on ${inFlight} calls`);
    inFlight += 1;
    try {
      return await callOn(pool, config, wanted);
    } finally {
      inFlight -= 1;
    }
  }

  return {
    config,
    tools: known.tools,
    known: known.known,
    about: known.about,
    loaded,
    status: () => health.status(known),
    waitUntil,
    listed: listOnce,
    relisted,
    call,
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

async function callOn(
  pool: Pool,
  config: ServerConfig,
  { name, args, routingKey, signal, progress }: Omit<UpstreamCall, 'server'>,
): Promise<UpstreamResult> {
  const deadline = performance.now() + config.timeoutMs;
  return await pool.use({
    routingKey,
    patience: { deadline, signal },
    isCall: true,
    work: async (session, lost) => {
      const result = await session.call(name, args, { timeoutMs: left(deadline), signal, progress });
      return lost === undefined || !config.mayHoldState ? result : withNotes(result, [lostText(config, lost)]);
    },
  });
}

function lostText({ name, idleMs = 0 }: ServerConfig, reason: StopReason): string {
  const why = { idle: `after ${Math.round(idleMs / 1000)} s without a call`, evicted: 'to make room for others' };
  const when = reason === 'idle' || reason === 'evicted' ? why[reason] : 'because it did not answer';
  return `the server "${name}" had been stopped ${when} and was started again; whatever it held is gone`;
}

/** At least something, so that a call which comes too late ends in an honest timeout. */
function left(deadline: number): number {
  return Math.max(1, deadline - performance.now());
}
