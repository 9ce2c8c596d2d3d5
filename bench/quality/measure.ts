import { BASELINES, SMOOTHED } from './baselines.ts';
import { type Difference, pairedDifference } from './bootstrap.ts';
import { type JeevesScorer, jeevesScorers } from './jeeves.ts';
import {
  type CaseMetrics,
  KEPT_SHARES,
  type MeanMetrics,
  mean,
  meanMetrics,
  measureCase,
  percentile,
} from './metrics.ts';
import { measureOperatingPoint, type OperatingPoint } from './operating-point.ts';
import type { BenchCase, Suite } from './suites.ts';

interface ScorerResult {
  readonly name: string;
  readonly metrics: MeanMetrics;
}

/** How far a backend is ahead of a smoothed baseline, read at every share and for the AUC. */
interface Lead {
  readonly name: string;
  readonly over: string;
  readonly recall: readonly Difference[];
  readonly auc: Difference;
}

export interface BackendResult {
  readonly name: string;
  readonly operatingPoint: OperatingPoint;
  /** Milliseconds to judge 1,000 lines. */
  readonly p50: number;
  readonly p95: number;
  /** Over cases without gold: share of lines scored as serving the goal; NaN when there is no such case. */
  readonly falseClaims: number;
}

export interface SuiteResult {
  readonly name: string;
  readonly cases: number;
  readonly withGold: number;
  readonly lines: number;
  readonly scorers: readonly ScorerResult[];
  readonly leads: readonly Lead[];
  readonly backends: readonly BackendResult[];
}

/** The score from which a backend says that a line serves the goal. */
const CLAIM = 0.5;
const WARM_UP = 20;

export async function measureSuite(suite: Suite): Promise<SuiteResult> {
  const answered = suite.cases.filter(({ gold }) => gold.length > 0);
  const perCase = new Map<string, CaseMetrics[]>();
  const jeeves = jeevesScorers();
  for (const scorer of jeeves) await warmUp(scorer, suite.cases);
  for (const scorer of [...BASELINES, ...jeeves]) {
    const metrics: CaseMetrics[] = [];
    for (const benchCase of answered) metrics.push(measureCase(await scorer.score(benchCase), benchCase.gold));
    perCase.set(scorer.name, metrics);
  }
  const hasGold = answered.length > 0;
  const backends: BackendResult[] = [];
  for (const scorer of jeeves) backends.push(await measureBackend(suite, scorer));
  return {
    name: suite.name,
    cases: suite.cases.length,
    withGold: answered.length,
    lines: suite.cases.reduce((sum, { lines }) => sum + lines.length, 0),
    scorers: hasGold ? [...perCase].map(([name, metrics]) => ({ name, metrics: meanMetrics(metrics) })) : [],
    leads: hasGold
      ? jeeves.flatMap(({ name }) => Object.values(SMOOTHED).map((over) => leadOf(name, over, perCase)))
      : [],
    backends,
  };
}

/** The first judgements pay for compiling the code; they are not what a running service costs. */
async function warmUp(scorer: JeevesScorer, cases: readonly BenchCase[]): Promise<void> {
  for (const benchCase of cases.slice(0, WARM_UP)) await scorer.score(benchCase);
  scorer.times.length = 0;
}

async function measureBackend(suite: Suite, scorer: JeevesScorer): Promise<BackendResult> {
  const claims: number[] = [];
  for (const benchCase of suite.cases.filter(({ gold }) => gold.length === 0))
    claims.push(await claimedShare(benchCase, scorer));
  return {
    name: scorer.name,
    operatingPoint: await measureOperatingPoint(suite, scorer),
    p50: percentile(scorer.times, 0.5),
    p95: percentile(scorer.times, 0.95),
    falseClaims: mean(claims),
  };
}

async function claimedShare(benchCase: BenchCase, scorer: JeevesScorer): Promise<number> {
  const scores = Array.from(await scorer.score(benchCase));
  return scores.filter((score) => score >= CLAIM).length / Math.max(1, scores.length);
}

function leadOf(name: string, over: string, perCase: ReadonlyMap<string, readonly CaseMetrics[]>): Lead {
  const [own, other] = [perCase.get(name) ?? [], perCase.get(over) ?? []];
  const difference = (read: (metrics: CaseMetrics) => number): Difference =>
    pairedDifference(own.map(read), other.map(read), `${name} ${over}`);
  return {
    name,
    over,
    recall: KEPT_SHARES.map((_, at) => difference((metrics) => metrics.recall[at] ?? 0)),
    auc: difference((metrics) => metrics.auc),
  };
}
