import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createEmbeddedBackend,
  EngineError,
  newPruneId,
  type PruneDependencies,
  type PruneResult,
  prune,
  recover,
} from '@jeeves/engine';
import type { Context } from '../context.ts';
import { reasonOf, UsageError } from '../failure.ts';
import { tokenCounter } from '../tokens.ts';
import { type Case, makeCase } from './cases.ts';
import { check, PROMISES, type Promised, type Verdict, type Violation } from './check.ts';
import type { TextFile } from './files.ts';

/** A case that broke a promise, with all that it takes to try it again. */
export interface Failure {
  readonly case: Case;
  readonly violations: readonly Violation[];
}

/** What was tried and what held. */
export interface Tally {
  readonly cases: number;
  /** Cases in which something was cut: the others prove little. */
  readonly cut: number;
  readonly gaps: number;
  readonly lines: number;
  readonly promises: Readonly<Record<Promised, { readonly checked: number; readonly failed: number }>>;
  readonly failures: readonly Failure[];
}

/** What to try. `onProgress` is called after each case. */
interface Plan {
  readonly files: readonly [TextFile, ...TextFile[]];
  readonly seed: string;
  readonly cases: number;
  readonly onProgress: (done: number) => void;
}

/** More would only bury the first. */
const MAX_FAILURES = 20;

/** Prunes the files in many ways against a store on disk and checks every answer. */
export async function runCases(plan: Plan, context: Context): Promise<Tally> {
  const directory = await makeDirectory();
  try {
    const { openStore } = await import('@jeeves/store');
    const store = await openStore(`sqlite:${join(directory, 'verify.db')}`, { now: context.now });
    try {
      return await tallyUp(plan, {
        backend: createEmbeddedBackend(),
        store,
        newId: () => newPruneId(context.randomBytes),
        now: context.now,
        countTokens: await tokenCounter(false),
      });
    } finally {
      await store.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The user's own store is not touched: hundreds of texts would push theirs out. */
async function makeDirectory(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'jeeves-verify-'));
  } catch (error) {
    throw new UsageError(`no temporary directory can be made in ${tmpdir()}: ${reasonOf(error)}; set TMPDIR`);
  }
}

async function tallyUp(plan: Plan, dependencies: PruneDependencies): Promise<Tally> {
  const promises = Object.fromEntries(Object.keys(PROMISES).map((name) => [name, { checked: 0, failed: 0 }])) as Record<
    Promised,
    { checked: number; failed: number }
  >;
  const failures: Failure[] = [];
  const sums = { cut: 0, gaps: 0, lines: 0 };
  for (let number = 0; number < plan.cases; number += 1) {
    const tried = makeCase(plan.files, plan.seed, number);
    const { verdict, gaps, lines } = await tryCase(tried, dependencies);
    sums.cut += gaps > 0 ? 1 : 0;
    sums.gaps += gaps;
    sums.lines += lines;
    for (const promise of verdict.checked) promises[promise].checked += 1;
    for (const { promise } of verdict.violations) promises[promise].failed += 1;
    if (verdict.violations.length > 0 && failures.length < MAX_FAILURES) {
      failures.push({ case: tried, violations: verdict.violations });
    }
    plan.onProgress(number + 1);
  }
  return { cases: plan.cases, ...sums, promises, failures };
}

/** Prunes, recovers what was cut, and checks the two against the raw text. */
async function tryCase(
  { request, asked }: Case,
  dependencies: PruneDependencies,
): Promise<{ verdict: Verdict; gaps: number; lines: number }> {
  const answer = await prune(request, dependencies);
  const facts = { gaps: answer.gaps.length, lines: answer.stats.originalLines };
  try {
    const recovered = await recoverGaps(answer, dependencies);
    return { verdict: check({ raw: request.text, asked, answer, recovered }), ...facts };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // What was cut and does not come back is the worst that can happen, so it is a finding and not a crash.
    return { verdict: { checked: ['rebuilt'], violations: [{ promise: 'rebuilt', detail: error.message }] }, ...facts };
  }
}

async function recoverGaps({ gaps, pruneId }: PruneResult, dependencies: PruneDependencies): Promise<string> {
  return gaps.length === 0 ? '' : (await recover({ pruneId, ranges: gaps }, dependencies)).text;
}
