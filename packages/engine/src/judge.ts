import type { Backend, Judgement } from './backends/backend.ts';
import { withTimeout } from './backends/with-timeout.ts';
import { EngineError } from './errors.ts';
import type { Job } from './job.ts';
import type { PruneRequest } from './options.ts';

/** A platform timer takes a longer delay for none at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Asks the backend, within what is left of the request's deadline. */
export async function judge(
  { request, lines, kind, started }: Job,
  { backend, now }: { backend: Backend; now: () => number },
): Promise<Judgement> {
  const { goal, signal } = request;
  const asked = {
    goal,
    texts: lines,
    source: kind.source,
    variant: variantOf(request),
    ...(signal !== undefined && { signal }),
  };
  const judgement = await timed(backend, request.timeoutMs, now() - started, now).judge(asked);
  if (judgement.scores.length === lines.length) return judgement;
  throw new EngineError('invalid_response', `the backend scored ${judgement.scores.length} of ${lines.length} lines`);
}

function variantOf({ limits, threshold, timeoutMs, annotateLines, includeMarkers }: PruneRequest): string {
  return JSON.stringify([limits, threshold, timeoutMs, annotateLines, includeMarkers]);
}

function timed(backend: Backend, timeoutMs: number | undefined, spent: number, now: () => number): Backend {
  if (timeoutMs === undefined) return backend;
  if (spent >= timeoutMs) throw new EngineError('timeout', `nothing of ${timeoutMs} ms was left to judge`);
  return withTimeout(backend, Math.min(timeoutMs - spent, LONGEST_TIMER_MS), { now });
}
