import { messageOf } from './failure.ts';
import { createInstance, type Instance, type StopReason } from './instance.ts';
import type { Session, SessionEvents } from './session.ts';

export interface SlotOptions {
  /** Starts a server and shakes hands with it; the signal is aborted when it is not wanted any more. */
  readonly open: (events: SessionEvents, signal: AbortSignal) => Promise<Session>;
  readonly idleMs: () => number | undefined;
  /** Told of every server that came up, before anybody uses it. */
  readonly onReady: (session: Session) => void;
  readonly onListChanged: (session: Session) => void;
  /** A server did not come up, or ended by itself. */
  readonly onFailed: (why: string) => void;
  readonly onStopped: (reason: StopReason, instance: Instance) => void;
}

/** The instances of one server by key, from their start to their end. */
export interface Slots {
  readonly get: (key: string) => Promise<Instance> | undefined;
  /** The one that came up. */
  readonly ready: (key: string) => Instance | undefined;
  /** For a key that has none. Whoever waits may give up; the start goes on for the next. */
  readonly start: (key: string) => Promise<Instance>;
  readonly stop: (instance: Instance, reason: StopReason) => Promise<void>;
  /** Ends the instance that nobody used for the longest time; false when all are in use. */
  readonly evict: () => boolean;
  readonly size: () => number;
  readonly close: () => Promise<void>;
}

export function createSlots(options: SlotOptions): Slots {
  const slots = new Map<string, Promise<Instance>>();
  const ready = new Map<string, Instance>();
  const closing = new AbortController();

  function start(key: string): Promise<Instance> {
    let instance: Instance | undefined;
    const events: SessionEvents = {
      listChanged: () => instance !== undefined && options.onListChanged(instance.session),
      closed: (why) => instance !== undefined && ready.get(key) === instance && fail(instance, why),
    };
    const starting = options.open(events, closing.signal).then((session) => {
      instance = createInstance({ key, session, idleMs: options.idleMs, onIdle: (idle) => void rest(idle) });
      ready.set(key, instance);
      options.onReady(session);
      return instance;
    });
    slots.set(key, starting);
    starting.catch((error: unknown) => {
      slots.delete(key);
      if (!closing.signal.aborted) options.onFailed(messageOf(error));
    });
    return starting;
  }

  /** It ended by itself: what it left behind is cleared away. */
  function fail(instance: Instance, why: string): void {
    remove(instance);
    options.onFailed(why);
    void instance.session.close();
  }

  async function rest(instance: Instance): Promise<void> {
    if (!instance.busy()) await stop(instance, 'idle');
  }

  async function stop(instance: Instance, reason: StopReason): Promise<void> {
    remove(instance);
    options.onStopped(reason, instance);
    await instance.session.close();
  }

  function remove(instance: Instance): void {
    instance.forget();
    if (ready.get(instance.key) !== instance) return;
    ready.delete(instance.key);
    slots.delete(instance.key);
  }

  function evict(): boolean {
    const idle = [...ready.values()].filter((instance) => !instance.busy());
    const [oldest] = idle.sort((left, right) => left.lastUsed() - right.lastUsed());
    if (oldest !== undefined) void stop(oldest, 'evicted');
    return oldest !== undefined;
  }

  async function close(): Promise<void> {
    closing.abort();
    const open = [...slots.values()];
    await Promise.allSettled(open.map(async (starting) => await stop(await starting, 'closed')));
  }

  return {
    get: (key) => slots.get(key),
    ready: (key) => ready.get(key),
    start,
    stop,
    evict,
    size: () => slots.size,
    close,
  };
}
