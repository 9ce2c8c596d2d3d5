import { EngineError } from '../errors.ts';
import type { Judgement, JudgeRequest } from './backend.ts';
import { callersReason } from './with-timeout.ts';

type Ask = (request: JudgeRequest) => Promise<Judgement>;

/** Judgements that are being made, by key: equal requests at the same time wait for one of them. */
export class UnderWay {
  readonly #shared = new Map<string, Shared>();

  /** The judgement that is being made for this key, where there is one; otherwise `ask` makes it. */
  async judge(key: string, request: JudgeRequest, ask: Ask): Promise<{ judgement: Judgement; joined: boolean }> {
    const found = this.#shared.get(key);
    if (found === undefined) return { judgement: await this.#begin(key, request, ask).wait(request), joined: false };
    try {
      return { judgement: await found.wait(request), joined: true };
    } catch (error) {
      if (!found.wasHurried(request, error)) throw error;
      return await this.judge(key, request, ask);
    }
  }

  #begin(key: string, request: JudgeRequest, ask: Ask): Shared {
    const shared = new Shared(request, ask, () => {
      if (this.#shared.get(key) === shared) this.#shared.delete(key);
    });
    this.#shared.set(key, shared);
    return shared;
  }
}

interface Waiter {
  readonly request: JudgeRequest;
}

/** One judgement for all who wait for it. It goes on as long as anybody does: nobody's leaving ends it for the others. */
class Shared {
  readonly #waiting = new Set<Waiter>();
  readonly #controller = new AbortController();
  readonly #first: JudgeRequest;
  /** How long who asked first had at first. */
  readonly #time: number;
  readonly #ask: Ask;
  readonly #onEnd: () => void;
  #outcome: Promise<Judgement> | undefined;

  constructor(first: JudgeRequest, ask: Ask, onEnd: () => void) {
    this.#first = first;
    this.#time = timeLeft(first);
    this.#ask = ask;
    this.#onEnd = onEnd;
  }

  async wait(request: JudgeRequest): Promise<Judgement> {
    const waiter: Waiter = { request };
    this.#waiting.add(waiter);
    this.#outcome ??= this.#begin();
    try {
      return await unlessAborted(this.#outcome, request.signal);
    } finally {
      this.#leave(waiter);
    }
  }

  /** Whether it ran out of time for who asked first, while this caller has most of as much still to come. */
  wasHurried(request: JudgeRequest, error: unknown): boolean {
    const isTimeout = error instanceof EngineError && error.code === 'timeout' && request.signal?.aborted !== true;
    return isTimeout && timeLeft(this.#first) < this.#time / 2 && timeLeft(request) > this.#time / 2;
  }

  #begin(): Promise<Judgement> {
    const { goal, texts, source, variant } = this.#first;
    return this.#ask({
      goal,
      texts,
      source,
      ...(variant === undefined ? {} : { variant }),
      signal: this.#controller.signal,
      checkpoint: () => this.#checkpoint(),
      timeLeft: () => Math.max(0, ...Array.from(this.#waiting, ({ request }) => timeLeft(request))),
    }).finally(this.#onEnd);
  }

  #leave(waiter: Waiter): void {
    this.#waiting.delete(waiter);
    if (this.#waiting.size > 0) return;
    this.#onEnd();
    this.#controller.abort(nobodyWaits());
  }

  /** Passes as long as it does for one of those who wait. */
  #checkpoint(): void {
    let failure: unknown = nobodyWaits();
    for (const { request } of this.#waiting) {
      try {
        request.checkpoint?.();
        return;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}

/** What comes of the work, unless the caller ends its own call before. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(callersReason(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  });
}

function timeLeft(request: JudgeRequest): number {
  return request.timeLeft?.() ?? Number.POSITIVE_INFINITY;
}

function nobodyWaits(): EngineError {
  return new EngineError('timeout', 'Nobody waits for the judgement any more.');
}
