import { messageOf, UpstreamFailure } from './failure.ts';
import type { KnownTools } from './known-tools.ts';
import type { Pool } from './pool.ts';
import type { Session } from './session.ts';

/** A first start may have to download the server. */
export const START_MS = 30_000;

/** Asks a server for its tools, once at a time. */
export interface Refresh {
  /** Whoever asks while a listing is under way gets one that was begun after asking. */
  readonly begin: (session: Session) => void;
  /** Resolves when none is under way. */
  readonly settled: () => Promise<void>;
  /** How many were tried so far. */
  readonly count: () => number;
}

/** `report` is told what went wrong, or nothing when a list was taken over. */
export function createRefresh(known: KnownTools, report: (problem: string | undefined) => void): Refresh {
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

/** Starts the server where it does not run, and has it listed. Never rejects. */
export async function startAndList(pool: Pool, refresh: Refresh): Promise<void> {
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
