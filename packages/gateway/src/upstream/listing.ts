import type { UpstreamServer } from './server.ts';
import type { ListingWait } from './upstream.ts';

/** Waits until the lists of many servers are in. */
export interface Listing {
  /** Until no server is starting any more that still has time to. */
  readonly started: (wait?: ListingWait) => Promise<void>;
  /** Until every server was asked anew, each no longer than it may take to start. */
  readonly refreshed: (wait?: ListingWait) => Promise<void>;
}

const PROGRESS_MS = 1000;
/** Longer than anybody waits, and still a number that a timer takes. */
const NO_LIMIT_MS = 2 ** 31 - 1;

export function listingOf(current: () => readonly UpstreamServer[]): Listing {
  return {
    started: async (wait) => {
      const servers = current();
      await Promise.all(servers.map(({ loaded }) => loaded));
      const never = servers.filter((server) => !server.known());
      // One that failed is tried again, but nobody waits for it: what is wrong with it is known.
      for (const server of never.filter(hasFailed)) void server.listed();
      const starting = never.filter((server) => !hasFailed(server));
      await together(starting, wait, (server) => ({
        work: server.listed(),
        ms: server.waitUntil - performance.now(),
      }));
    },
    refreshed: (wait) =>
      together(current(), wait, (server) => ({ work: server.relisted(), ms: server.config.startMs })),
  };
}

function hasFailed(server: UpstreamServer): boolean {
  return server.status().state === 'failed';
}

interface Waiting {
  readonly work: Promise<void>;
  readonly ms: number;
}

async function together(
  servers: readonly UpstreamServer[],
  { patienceMs = NO_LIMIT_MS, signal, progress }: ListingWait = {},
  waitingFor: (server: UpstreamServer) => Waiting,
): Promise<void> {
  if (servers.length === 0) return;
  const left = new Set(servers.map(({ config }) => config.name));
  const tell = (): void => progress?.(`waiting for ${[...left].join(', ')}`);
  const ticking = setInterval(tell, PROGRESS_MS).unref();
  try {
    tell();
    await Promise.all(
      servers.map(async (server) => {
        const { work, ms } = waitingFor(server);
        await within(work, Math.min(ms, patienceMs), signal);
        left.delete(server.config.name);
      }),
    );
  } finally {
    clearInterval(ticking);
  }
}

/** Resolves with the work or at the end of the time; rejects only when whoever waits has gone. */
async function within(work: Promise<void>, ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 0) return;
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  const over = new Promise<void>((resolve, reject) => {
    timer = setTimeout(resolve, ms);
    abort = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
  });
  try {
    await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    if (abort !== undefined) signal?.removeEventListener('abort', abort);
  }
}
