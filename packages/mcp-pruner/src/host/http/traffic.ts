import { setMaxListeners } from 'node:events';
import type { Exchange } from './exchange.ts';

/** Everything under way on a listener. */
export interface Traffic {
  readonly seen: { connections: number; requests: number; shed: number };
  readonly exchanges: Set<Exchange>;
  /** Aborted when the listener waits for nobody any more. */
  readonly stopping: AbortSignal;
  /** Whether no more work is taken. */
  readonly closing: () => boolean;
  /** Takes no more work. */
  readonly close: () => void;
  /** Aborts what is under way. */
  readonly abort: () => void;
  /** Work that may go on when its caller is gone. */
  readonly working: (by: 1 | -1) => void;
  /** What bodies and unread replies hold in memory together. */
  readonly held: () => number;
  readonly hold: (bytes: number) => void;
  readonly closed: (exchange: Exchange) => void;
  /** Resolves when nobody waits for a reply and nothing is worked on. */
  readonly settled: () => Promise<void>;
}

export function createTraffic(): Traffic {
  const exchanges = new Set<Exchange>();
  const idle: (() => void)[] = [];
  const stopping = new AbortController();
  // Every request under way listens to it.
  setMaxListeners(0, stopping.signal);
  let closing = false;
  let working = 0;
  let held = 0;

  function isIdle(): boolean {
    return exchanges.size === 0 && working === 0;
  }

  function settle(): void {
    if (isIdle()) for (const resolve of idle.splice(0)) resolve();
  }

  return {
    seen: { connections: 0, requests: 0, shed: 0 },
    exchanges,
    stopping: stopping.signal,
    closing: () => closing,
    close: () => {
      closing = true;
    },
    abort: () => {
      stopping.abort();
      for (const { abort } of exchanges) abort();
    },
    working: (by) => {
      working += by;
      settle();
    },
    held: () => held,
    hold: (bytes) => {
      held += bytes;
    },
    closed: (exchange) => {
      exchanges.delete(exchange);
      settle();
    },
    settled: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  };
}
