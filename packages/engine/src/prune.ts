import type { Backend, Judgement, SourceType } from './backends/backend.ts';
import { choose } from './choose.ts';
import { detectSource } from './detect.ts';
import { EngineError } from './errors.ts';
import { estimateTokens, type TokenCounter } from './estimate.ts';
import type { Job } from './job.ts';
import { judge } from './judge.ts';
import { DEFAULTS, fewestKept, type PruneRequest } from './options.ts';
import { protect } from './protect/protect.ts';
import { gapReasons } from './reasons.ts';
import { type Gap, render } from './render.ts';
import { type Lines, split } from './split.ts';
import { type PruneStats, statsOf } from './stats.ts';
import type { RecoveryStore } from './store/store.ts';

/** What pruning needs from outside: who judges, where texts are kept, and the world's two surprises, ids and time. */
export interface PruneDependencies {
  readonly backend: Backend;
  readonly store: RecoveryStore;
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly countTokens: TokenCounter;
}

export interface PruneResult {
  /** Names the raw text in the store, also when nothing was removed. */
  readonly pruneId: string;
  readonly text: string;
  readonly gaps: readonly Gap[];
  readonly source: SourceType;
  readonly stats: PruneStats;
  /** Stable codes: why the raw text came back, or what a reader should know. */
  readonly warnings: readonly string[];
}

/** Takes away the lines that do not serve the goal. Never fails: whatever goes wrong gives the raw text and a warning. */
export async function prune(request: PruneRequest, dependencies: PruneDependencies): Promise<PruneResult> {
  const started = dependencies.now();
  const pruneId = dependencies.newId();
  const lines = split(request.text);
  const source = sourceOf(request, lines);
  const cutText = await failOpen(request.text, () => cut({ request, lines, source, pruneId, started }, dependencies));
  // What cannot be given back is not taken away.
  const outcome = await failOpen(
    request.text,
    () => keepRaw(request, pruneId, dependencies, cutText),
    cutText.warnings,
  );
  const result = toResult(outcome);
  return grew(request, result.stats) ? toResult({ ...outcome, text: request.text, gaps: [] }) : result;

  function toResult({ text, gaps, warnings, usedFallback, facts }: Outcome): PruneResult {
    const elapsedMs = Math.max(0, dependencies.now() - started);
    const stats = statsOf({ lines, gaps, raw: request.text, text }, orEstimate(dependencies.countTokens), {
      elapsedMs,
      usedFallback,
      backend: dependencies.backend.name,
      facts,
    });
    return { pruneId, text, gaps, source, stats, warnings };
  }
}

/** Gaps are weighed by estimate; when the count says otherwise, the count is right. Line numbers are a price asked for. */
function grew({ worthwhileGaps, annotateLines }: PruneRequest, { tokensBefore, tokensAfter }: PruneStats): boolean {
  return (worthwhileGaps ?? DEFAULTS.worthwhileGaps) && !(annotateLines ?? false) && tokensAfter > tokensBefore;
}

interface Outcome {
  readonly text: string;
  readonly gaps: readonly Gap[];
  readonly warnings: readonly string[];
  readonly usedFallback: boolean;
  readonly facts: NonNullable<Judgement['facts']>;
}

/** protect → judge → select → render. */
async function cut(job: Job, dependencies: PruneDependencies): Promise<Outcome> {
  const { request, lines, source, pruneId } = job;
  if (isTooLarge(request, lines)) return raw(request.text, 'input_too_large');
  const fewest = fewestKept(lines.length, request.limits);
  if (fewest === undefined) return raw(request.text, 'constraints_unmet');
  const protection = protect(lines, source);
  const judgement = await judge(job, dependencies);
  const { kept, overBudget } = choose(job, { protection, fewest, ...judgement });
  const rendered = render(lines, kept, gapReasons(lines, source), { ...DEFAULTS, ...request, pruneId });
  assertInTime(job, dependencies.now());
  return {
    ...rendered,
    warnings: [...protection.warnings, ...(judgement.warnings ?? []), ...(overBudget ? ['budget_unmet'] : [])],
    usedFallback: judgement.usedFallback ?? false,
    facts: judgement.facts ?? {},
  };
}

/** Choosing and rendering take no checkpoints: they are a part of what judging took, which was in time. */
function assertInTime({ request: { timeoutMs = Number.POSITIVE_INFINITY }, started }: Job, now: number): void {
  if (now - started > timeoutMs) throw new EngineError('timeout', `The text was not pruned within ${timeoutMs} ms.`);
}

/** Judging takes some two hundred bytes a line: more lines than this are better read in parts. */
const MOST_LINES = 1_000_000;

function isTooLarge({ text, maxInputChars = Number.POSITIVE_INFINITY }: PruneRequest, lines: Lines): boolean {
  return text.length > maxInputChars || lines.length > MOST_LINES;
}

async function keepRaw(
  request: PruneRequest,
  pruneId: string,
  { store, now }: PruneDependencies,
  outcome: Outcome,
): Promise<Outcome> {
  await store.put({
    pruneId,
    text: request.text,
    firstLine: request.firstLine ?? DEFAULTS.firstLine,
    createdAt: now(),
    goal: request.goal,
  });
  return outcome;
}

/** Fail-open, in its one place: an error becomes the raw text with the error's code as a warning. */
async function failOpen(
  text: string,
  step: () => Promise<Outcome>,
  warnings: readonly string[] = [],
): Promise<Outcome> {
  try {
    return await step();
  } catch (error) {
    const outcome = raw(text, error instanceof EngineError ? error.code : 'internal_error');
    return { ...outcome, warnings: [...warnings, ...outcome.warnings] };
  }
}

/** A counter that fails must not take the result with it. */
function orEstimate(countTokens: TokenCounter): TokenCounter {
  return (text) => {
    try {
      return countTokens(text);
    } catch {
      return { tokens: estimateTokens(text), method: 'estimate' };
    }
  };
}

function raw(text: string, warning: string): Outcome {
  return { text, gaps: [], warnings: [warning], usedFallback: true, facts: {} };
}

function sourceOf({ source = DEFAULTS.source }: PruneRequest, lines: Lines): SourceType {
  return source === 'auto' ? detectSource(lines) : source;
}
