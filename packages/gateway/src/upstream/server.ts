import type { Emit } from '@jeeves/protocol';
import type { ServerConfig } from '../config/server.ts';
import { withNotes } from '../outcome.ts';
import { messageOf, UpstreamFailure } from './failure.ts';
import type { StopReason } from './instance.ts';
import { createKnownTools, type KnownTools } from './known-tools.ts';
import { createPool, type Pool } from './pool.ts';
import { openSession, type Session, type SessionEvents } from './session.ts';
import type { StateStore } from './state.ts';
import { failedStatus, type ServerStatus, STARTING } from './status.ts';
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

/** A first start may have to download the server. */
const START_MS = 30_000;
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
  let failure: string | undefined;
  // A server that ended in a call is started again by the next one; one that does not come up is out of order.
  let outOfOrder: string | undefined;
  const report = (message: string): void => {
    failure = message;
    emit({ event: 'gateway.upstream_failed', data: { server: config.name, message } });
  };
  const refresh = createRefresh(known, (problem) => {
    outOfOrder = problem;
    if (problem === undefined) failure = undefined;
    else report(problem);
  });
  const waitUntil = performance.now() + config.startMs;
  const pool = createPool({
    config,
    open: async (events, signal) => {
      try {
        return await open(options, events, signal);
      } catch (error) {
        outOfOrder = messageOf(error);
        throw error;
      }
    },
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

  function status(): ServerStatus {
    const facts = { server: config.name, tools: known.tools().length };
    const problem = known.known() ? outOfOrder : failure;
    if (problem !== undefined) return { ...facts, ...failedStatus(problem) };
    return known.known() ? { ...facts, state: 'listed' } : { ...facts, ...STARTING };
  }

  return {
    config,
    tools: known.tools,
    known: known.known,
    about: known.about,
    loaded,
    status,
    waitUntil,
    listed: listOnce,
    relisted,
    call: async ({ name, args, routingKey, signal, progress }) => {
      if (inFlight >= MAX_IN_FLIGHT) throw new UpstreamFailure('backing_off', `already works on ${inFlight} calls`);
      const deadline = performance.now() + config.timeoutMs;
      inFlight += 1;
      try {
        return await pool.use({
          routingKey,
          patience: { deadline, signal },
          isCall: true,
          work: async (session, lost) => {
            const result = await session.call(name, args, { timeoutMs: left(deadline), signal, progress });
            return lost === undefined || !config.mayHoldState ? result : withNotes(result, [lostText(config, lost)]);
          },
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
  /** How many were tried so far. */
  readonly count: () => number;
}

/** `report` is told what went wrong, or nothing when a list was taken over. */
function createRefresh(known: KnownTools, report: (problem: string | undefined) => void): Refresh {
  let count = 0;
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
      await known.update(await session.list(), session.about);
      report(undefined);
    } catch (error) {
      // A server that ended meanwhile has said so itself.
      const ended = error instanceof UpstreamFailure && error.code === 'exited';
      if (!ended) report(`cannot be listed: ${messageOf(error)}`);
    } finally {
      count += 1;
    }
  }

  return {
    begin: (session) => {
      if (running === undefined) running = run(session);
      else next = session;
    },
    settled: () => running ?? Promise.resolve(),
    count: () => count,
  };
}

async function startAndList(pool: Pool, refresh: Refresh): Promise<void> {
  const patience = { deadline: performance.now() + 2 * START_MS, signal: new AbortController().signal };
  const before = refresh.count();
  // Every instance that comes up is listed; one that ran before is asked here.
  const work = async (session: Session): Promise<void> => {
    await refresh.settled();
    if (refresh.count() > before) return;
    refresh.begin(session);
    await refresh.settled();
  };
  await pool.use({ patience, isCall: false, work }).catch(() => undefined);
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
