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
import { type Look, type LookRequest, look } from './look.ts';
import type { World } from './world.ts';

export interface UsageRequest extends LookRequest {
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

export async function analyzeUsage(world: World, request: UsageRequest): Promise<UsageAnalysis> {
  const seen = await look(world, request);
  const { contents, now } = seen.window;
  const usage = usageOf(contents.tally, now);
  const { current = usage.totalTokens, limit = request.limit ?? world.tokenLimit } = request.descriptors?.usage ?? {};
  const fill = fillOf(current, limit);
  const findings = findCandidates(seen.window);
  const bill = { sums: contents.sums, prices: world.prices };
  const { paybackTurns } = world;
  const circumstances = { paybackTurns, percent: fill.percent };
  const recommendations = recommend(findings, bill, circumstances);
  const target = request.aim === undefined ? 0 : Math.ceil(fill.current - (fill.limit * request.aim) / 100);
  world.remembered.leaveDigest(request.project);
  return {
    fill,
    usage,
    health: healthOf(usage, fill),
    advice: adviceOn(usage, fill, recommendations, paybackTurns),
    warnings: [...warningsAt(fill), ...warningsOf(seen)],
    findings,
    recommendations,
    advised: advised(recommendations),
    together: allTogether(findings, bill),
    ...(target > 0 && { plan: worthwhilePlan(target, findings, bill, circumstances) }),
    stashedAlready: seen.stashedAlready,
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

export interface GarbageRequest extends LookRequest {
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

export async function analyzeGarbage(world: World, request: GarbageRequest): Promise<GarbageAnalysis> {
  const seen = await look(world, request);
  const { contents } = seen.window;
  const findings = findCandidates(seen.window);
  const bill = { sums: contents.sums, prices: world.prices };
  const { target } = request;
  const { current = contents.tally.totalTokens, limit = world.tokenLimit } = request.descriptors?.usage ?? {};
  const circumstances = { paybackTurns: world.paybackTurns, percent: fillOf(current, limit).percent };
  world.remembered.leaveDigest(request.project);
  return {
    findings,
    recommendations: recommend(findings, bill, circumstances),
    ...(target !== undefined && { plan: planFor(target, findings, bill) }),
    warnings: warningsOf(seen),
    stashedAlready: seen.stashedAlready,
  };
}

function warningsOf({ stashedAlready, notRemembered }: Look): string[] {
  const warnings: string[] = [];
  if (stashedAlready.length > 0) {
    warnings.push(`${stashedAlready.length} described segments are in the stash already: they can leave the context.`);
  }
  if (notRemembered !== undefined) {
    warnings.push(`The described segments could not be noted down and cannot be stashed by id: ${notRemembered}`);
  }
  return warnings;
}
