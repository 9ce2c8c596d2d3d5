import type { ServerConfig } from '../config/server.ts';
import { type Backoff, createBackoff } from './backoff.ts';
import { UpstreamFailure } from './failure.ts';
import type { Instance, StopReason } from './instance.ts';
import { createLost } from './lost.ts';
import { createQueue } from './queue.ts';
import type { Session } from './session.ts';
import { createSlots, type SlotOptions } from './slots.ts';
import { type Patience, waitFor } from './wait.ts';

export interface PoolOptions extends Omit<SlotOptions, 'idleMs'> {
  readonly config: Pick<ServerConfig, 'strategy' | 'idleMs'>;
}

/** The running instances of one server, used as its strategy says. */
export interface Pool {
  /** Works with the instance of this key, which is started where there is none. */
  readonly use: <Value>(use: PoolUse<Value>) => Promise<Value>;
  /** How long until a start may be tried. */
  readonly remaining: Backoff['remaining'];
  readonly close: () => Promise<void>;
}

export interface PoolUse<Value> {
  readonly routingKey?: string | undefined;
  readonly patience: Patience;
  /** `lost` says that an instance which was called before has been stopped, and why: what it held is gone. */
  readonly work: (session: Session, lost: StopReason | undefined) => Promise<Value>;
  /** A call, for whose sake an instance is kept; a listing is over when it is over. */
  readonly isCall: boolean;
}

/** More keys than this at once are more than one machine should run servers for. */
const MAX_INSTANCES = 16;
/** An instance that was only started to be listed. */
const UNCALLED_IDLE_MS = 30_000;
/** So many calls in a row without an answer, and it is started afresh. */
const MAX_TIMEOUTS = 2;

export function createPool({ config, ...options }: PoolOptions): Pool {
  const backoff = createBackoff(() => performance.now());
  const timeouts = new WeakMap<Instance, number>();
  const queue = config.strategy === 'singleton' ? createQueue() : undefined;
  const lost = createLost();
  let lastFailure = '';
  let called = false;
  let closed = false;
  const failed = (why: string): void => {
    lastFailure = why;
    backoff.failed();
    options.onFailed(why);
  };
  const slots = createSlots({
    ...options,
    idleMs: () => (called ? config.idleMs : Math.min(config.idleMs ?? UNCALLED_IDLE_MS, UNCALLED_IDLE_MS)),
    onFailed: failed,
    onStopped: (reason, instance) => {
      lost.stopped(instance, reason);
      options.onStopped(reason, instance);
    },
  });

  async function use<Value>({ routingKey = '', patience, work, isCall }: PoolUse<Value>): Promise<Value> {
    if (closed) throw new UpstreamFailure('exited', 'the gateway is closing');
    const key = config.strategy === 'stateful' && isCall ? routingKey : '';
    const leave = await queue?.enter(patience);
    let instance: Instance | undefined;
    try {
      instance = await waitFor(instanceOf(key), patience, 'was still starting when the time was over');
      called ||= isCall;
      const reason = isCall ? lost.take(instance) : undefined;
      const value = await instance.use((session) => work(session, reason));
      if (isCall) answered(instance);
      return value;
    } catch (error) {
      if (error instanceof UpstreamFailure && instance !== undefined) judge(instance, error);
      throw error;
    } finally {
      leave?.();
    }
  }

  function instanceOf(key: string): Promise<Instance> {
    const running = slots.get(key);
    if (running !== undefined) return running;
    const wait = backoff.remaining();
    if (wait > 0) {
      const when = `it is started again in ${Math.ceil(wait / 1000)} s at the earliest`;
      throw new UpstreamFailure('backing_off', `${lastFailure}; ${when}`);
    }
    if (slots.size() >= MAX_INSTANCES && !slots.evict()) {
      throw new UpstreamFailure('backing_off', `runs ${MAX_INSTANCES} times already, and each of them is busy`);
    }
    return slots.start(key);
  }

  function answered(instance: Instance): void {
    timeouts.delete(instance);
    backoff.succeeded();
  }

  /** An error is an answer too. Several calls in a row without one are a failure, so that it is not begun at once. */
  function judge(instance: Instance, { code, message }: UpstreamFailure): void {
    if (code === 'upstream_error') answered(instance);
    if (code !== 'timeout') return;
    const count = (timeouts.get(instance) ?? 0) + 1;
    timeouts.set(instance, count);
    if (count !== MAX_TIMEOUTS || slots.ready(instance.key) !== instance) return;
    failed(message);
    void slots.stop(instance, 'unresponsive');
  }

  async function close(): Promise<void> {
    closed = true;
    await slots.close();
  }

  return { use, remaining: backoff.remaining, close };
}
