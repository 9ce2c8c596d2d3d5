import { type Advice, adviceOn, warningsAt } from '../analysis/advice.ts';
import { type Findings, findCandidates } from '../analysis/candidates.ts';
import { type Circumstances, isWorthwhile } from '../analysis/clearing.ts';
import { type Health, healthOf } from '../analysis/health.ts';
import {
  advised,
  allTogether,
  type Bill,
  type Plan,
  planFor,
  type Recommendation,
  recommend,
  type Together,
} from '../analysis/plan.ts';
import { type Fill, fillOf, type UsageFigures, usageOf } from '../analysis/usage.ts';
import { readWindow, type WindowReading, type WindowRequest } from './read-window.ts';
import type { Services } from './services.ts';

export interface UsageRequest extends WindowRequest {
  /** The size of the window, when the descriptors do not give it. */
  readonly limit?: number | undefined;
  /** How full it is to be at most, in percent: with it there is a plan. */
  readonly aim?: number | undefined;
}

export interface UsageAnalysis {
  readonly fill: Fill;
  readonly usage: UsageFigures;
  readonly health: Health;
  readonly advice: readonly Advice[];
  readonly warnings: readonly string[];
  readonly findings: Findings;
  readonly recommendations: readonly Recommendation[];
  /** Those of them to act on. */
  readonly advised: readonly Recommendation[];
  /** All that is worth stashing cleared at once. */
  readonly together: Together;
  /** How to get down to the aim; absent below it, and where that pays too late. */
  readonly plan?: Plan | undefined;
  readonly stashedAlready: readonly string[];
}

export async function analyzeUsage(services: Services, request: UsageRequest): Promise<UsageAnalysis> {
  const { window, ...read } = await readWindow(services, request);
  const usage = usageOf(window.items, window.now);
  const { current = usage.totalTokens, limit = request.limit ?? services.tokenLimit } =
    request.descriptors?.usage ?? {};
  const fill = fillOf(current, limit);
  const findings = findCandidates(window);
  const bill = { tokensFrom: window.tokensFrom, prices: services.prices };
  const { paybackTurns } = services;
  const circumstances = { paybackTurns, percent: fill.percent };
  const recommendations = recommend(findings, bill, circumstances);
  const target = request.aim === undefined ? 0 : Math.ceil(fill.current - (fill.limit * request.aim) / 100);
  return {
    fill,
    usage,
    health: healthOf(usage, fill),
    advice: adviceOn(usage, fill, recommendations, paybackTurns),
    warnings: [...warningsAt(fill), ...warningsOf(read)],
    findings,
    recommendations,
    advised: advised(recommendations),
    together: allTogether(findings, bill),
    ...(target > 0 && { plan: worthwhilePlan(target, findings, bill, circumstances) }),
    stashedAlready: read.stashedAlready,
  };
}

function worthwhilePlan(
  target: number,
  findings: Findings,
  bill: Bill,
  circumstances: Circumstances,
): Plan | undefined {
  const plan = planFor(target, findings, bill);
  return plan.candidates.length > 0 && isWorthwhile(plan.clearing, circumstances) ? plan : undefined;
}

export interface GarbageRequest extends WindowRequest {
  /** How many tokens to free: with it there is a plan. */
  readonly target?: number | undefined;
}

export interface GarbageAnalysis {
  readonly findings: Findings;
  readonly recommendations: readonly Recommendation[];
  readonly plan?: Plan | undefined;
  readonly warnings: readonly string[];
  readonly stashedAlready: readonly string[];
}

export async function analyzeGarbage(services: Services, request: GarbageRequest): Promise<GarbageAnalysis> {
  const { window, ...read } = await readWindow(services, request);
  const findings = findCandidates(window);
  const bill = { tokensFrom: window.tokensFrom, prices: services.prices };
  const { target } = request;
  const { current = window.tokensFrom[0] ?? 0, limit = services.tokenLimit } = request.descriptors?.usage ?? {};
  const circumstances = { paybackTurns: services.paybackTurns, percent: fillOf(current, limit).percent };
  return {
    findings,
    recommendations: recommend(findings, bill, circumstances),
    ...(target !== undefined && { plan: planFor(target, findings, bill) }),
    warnings: warningsOf(read),
    stashedAlready: read.stashedAlready,
  };
}

function warningsOf({ stashedAlready, notRemembered }: Omit<WindowReading, 'window'>): string[] {
  const warnings: string[] = [];
  if (stashedAlready.length > 0) {
    warnings.push(`${stashedAlready.length} described segments are in the stash already: they can leave the context.`);
  }
  if (notRemembered !== undefined) {
    warnings.push(`The described segments could not be noted down and cannot be stashed by id: ${notRemembered}`);
  }
  return warnings;
}
