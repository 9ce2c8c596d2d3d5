import { EngineError } from '../errors.ts';
import type { Backend, Judgement, JudgeRequest } from './backend.ts';

export interface TimeoutOptions {
  /** Calls back once after `ms`; returns what cancels it. Default: the platform's timer. */
  readonly setTimer?: (callback: () => void, ms: number) => () => void;
  readonly now?: () => number;
}

/**
 * Ends a judgement after `ms` with `EngineError('timeout')`: waiting work by its signal, computing work, during which no
 * timer fires, by its checkpoints.
 */
export function withTimeout(backend: Backend, ms: number, options: TimeoutOptions = {}): Backend {
  return { name: backend.name, judge: (request) => judgeWithin(backend, request, { ms, ...options }) };
}

async function judgeWithin(
  backend: Backend,
  request: JudgeRequest,
  { ms, setTimer = platformTimer, now = () => performance.now() }: TimeoutOptions & { ms: number },
): Promise<Judgement> {
  const { ended, end, signal } = createEnd();
  const outer = request.signal;
  const onOuterAbort = (): void => end(callersReason(outer));
  outer?.addEventListener('abort', onOuterAbort, { once: true });
  if (outer?.aborted === true) onOuterAbort();
  const deadline = now() + ms;
  const asked: JudgeRequest = {
    ...request,
    checkpoint: () => {
      request.checkpoint?.();
      if (now() > deadline) throw tooSlow(ms);
    },
    timeLeft: () => deadline - now(),
    get signal() {
      return signal();
    },
  };
  const cancelTimer = setTimer(() => end(tooSlow(ms)), ms);
  try {
    return await Promise.race([backend.judge(asked), ended]);
  } finally {
    cancelTimer();
    outer?.removeEventListener('abort', onOuterAbort);
  }
}

interface End {
  /** Rejects with the reason. */
  readonly ended: Promise<never>;
  readonly end: (reason: EngineError) => void;
  /** Made when somebody asks: only work that waits has use for it, and making one takes longer than some judgements. */
  readonly signal: () => AbortSignal;
}

function createEnd(): End {
  let controller: AbortController | undefined;
  let reason: EngineError | undefined;
  const rejects: ((reason: EngineError) => void)[] = [];
  const ended = new Promise<never>((_, reject) => rejects.push(reject));
  // A backend that throws at once leaves nobody waiting for this.
  ended.catch(() => {});
  return {
    ended,
    end: (why) => {
      reason ??= why;
      controller?.abort(reason);
      for (const reject of rejects) reject(reason);
    },
    signal: () => {
      controller ??= new AbortController();
      if (reason !== undefined) controller.abort(reason);
      return controller.signal;
    },
  };
}

function tooSlow(ms: number): EngineError {
  return new EngineError('timeout', `The backend did not judge within ${ms} ms.`);
}

/** Why a caller ended its own call. */
export function callersReason(signal: AbortSignal | undefined): EngineError {
  const reason: unknown = signal?.reason;
  return reason instanceof EngineError ? reason : new EngineError('timeout', 'The caller ended the judgement.');
}

function platformTimer(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
