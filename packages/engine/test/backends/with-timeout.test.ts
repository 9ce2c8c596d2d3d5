import { describe, expect, it } from 'vitest';
import type { Backend, JudgeRequest } from '../../src/backends/backend.ts';
import { withTimeout } from '../../src/backends/with-timeout.ts';
import { EngineError } from '../../src/errors.ts';
import { split } from '../../src/split.ts';

const REQUEST: JudgeRequest = { goal: 'g', texts: split('a\n'), source: 'code' };

/** A timer that runs when told to, and remembers whether it was cancelled. */
function manualTimer() {
  const timer = { ms: 0, fire: () => {}, cancelled: false };
  const setTimer = (callback: () => void, ms: number) => {
    timer.ms = ms;
    timer.fire = callback;
    return () => {
      timer.cancelled = true;
    };
  };
  return { timer, setTimer };
}

/** Never answers; hands out the request it was given. */
function waiting(): { backend: Backend; seen: JudgeRequest[] } {
  const seen: JudgeRequest[] = [];
  const judge = (request: JudgeRequest) => {
    seen.push(request);
    return new Promise<never>(() => {});
  };
  return { backend: { name: 'slow', judge }, seen };
}

describe('withTimeout', () => {
  it('hands over a judgement in time and cancels its timer', async () => {
    const { timer, setTimer } = manualTimer();
    const judgement = { scores: Float64Array.of(1) };
    const backend = withTimeout({ name: 'fast', judge: async () => judgement }, 50, { setTimer });
    expect(backend.name).toBe('fast');
    expect(await backend.judge(REQUEST)).toBe(judgement);
    expect(timer).toMatchObject({ ms: 50, cancelled: true });
  });

  it('ends waiting work with timeout and aborts its signal', async () => {
    const { timer, setTimer } = manualTimer();
    const { backend, seen } = waiting();
    const judged = withTimeout(backend, 50, { setTimer }).judge(REQUEST);
    expect(seen[0]?.signal?.aborted).toBe(false);
    timer.fire();
    await expect(judged).rejects.toMatchObject({ code: 'timeout' });
    expect(seen[0]?.signal?.aborted).toBe(true);
    expect(timer.cancelled).toBe(true);
  });

  it('ends computing work at its next checkpoint', async () => {
    let time = 0;
    const computing: Backend = {
      name: 'busy',
      async judge(request) {
        for (; ; time += 10) request.checkpoint?.();
      },
    };
    const backend = withTimeout(computing, 50, { now: () => time, setTimer: manualTimer().setTimer });
    await expect(backend.judge(REQUEST)).rejects.toMatchObject({ code: 'timeout' });
    expect(time).toBe(60);
  });

  it("keeps the caller's checkpoint", async () => {
    const stop = new EngineError('timeout', 'stop');
    const checkpoint = () => {
      throw stop;
    };
    const asking: Backend = {
      name: 'asking',
      async judge(request) {
        request.checkpoint?.();
        return { scores: new Float64Array(1) };
      },
    };
    await expect(withTimeout(asking, 1000).judge({ ...REQUEST, checkpoint })).rejects.toBe(stop);
  });

  it.each(['before', 'while'])("passes on the caller's abort %s it works", async (when) => {
    const controller = new AbortController();
    const reason = new EngineError('timeout', 'gone');
    const { backend, seen } = waiting();
    if (when === 'before') controller.abort(reason);
    const judged = withTimeout(backend, 1000).judge({ ...REQUEST, signal: controller.signal });
    if (when === 'while') controller.abort(reason);
    await expect(judged).rejects.toBe(reason);
    expect(seen[0]?.signal?.aborted).toBe(true);
  });

  it('calls an abort without a reason of ours a timeout', async () => {
    const judged = withTimeout(waiting().backend, 1000).judge({ ...REQUEST, signal: AbortSignal.abort() });
    await expect(judged).rejects.toMatchObject({ name: 'EngineError', code: 'timeout' });
  });

  it('leaves no rejection behind when the backend throws at once', async () => {
    const throwing: Backend = {
      name: 'throwing',
      judge() {
        throw new EngineError('config_error', 'x');
      },
    };
    const judged = withTimeout(throwing, 1000).judge({ ...REQUEST, signal: AbortSignal.abort() });
    await expect(judged).rejects.toMatchObject({ code: 'config_error' });
  });

  it('uses the real clock by default', async () => {
    const started = performance.now();
    await expect(withTimeout(waiting().backend, 30).judge(REQUEST)).rejects.toMatchObject({ code: 'timeout' });
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('lets a failure through unchanged', async () => {
    const error = new EngineError('http_error', 'x');
    const failing: Backend = { name: 'x', judge: () => Promise.reject(error) };
    await expect(withTimeout(failing, 1000).judge(REQUEST)).rejects.toBe(error);
  });
});
