import type { SourceType } from './backends/backend.ts';
import { estimateTokens, type TokenCounter } from './estimate.ts';
import type { Job } from './job.ts';
import type { Priced } from './offer.ts';
import { DEFAULTS } from './options.ts';
import { gapReasons } from './reasons.ts';
import { type Rendered, render } from './render.ts';
import { costOf, type Offer, select } from './select.ts';

/**
 * What a needed line is worth in tokens: missing it costs a call that asks for it, and the lines that come with it. In a
 * log a handful of lines out of thousands are needed, and missing them costs another run of the command.
 */
const VALUES: Readonly<Record<SourceType, number>> = { code: 700, docs: 450, logs: 6000 };
/** When a budget is there to be spent, everything that fits is bought. */
const ANY_PRICE = 1e9;
/** Below this share of the budget an estimate is good enough. */
const CLEARLY_WITHIN = 0.5;
const TRIES = 12;

export interface Chosen extends Rendered {
  /** 1 for each line that stays. */
  readonly kept: Uint8Array;
  /** False when limits and protection do not allow the budget to be met. */
  readonly met: boolean;
}

/** Loads what counts tokens exactly: only a result that comes near its budget is worth it. */
export type ExactTokens = () => Promise<TokenCounter>;

/** The lines worth most that fit, written out and counted as the reader will pay for them. */
export async function chooseWithinBudget(
  job: Job,
  { offer, certain }: Priced,
  fewest: number,
  exactTokens?: ExactTokens,
): Promise<Chosen> {
  const budget = budgetOf(job);
  const value = certain || job.request.limits?.maxTokens !== undefined ? ANY_PRICE : valueOf(job);
  const take = (from: Offer, maxTokens: number): Taken => {
    const units = select(from, { value, fewest, maxTokens });
    return { ...write(job, from, units), cost: costOf(from, units) };
  };
  let chosen = take(offer, budget);
  // Not even the best line fits with the lines that enclose it: then it comes alone.
  const from = isEmpty(chosen.kept) ? withoutScopes(offer) : offer;
  if (from !== offer) chosen = take(from, budget);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const size = await sizeOf(chosen.text, budget, exactTokens);
    if (size <= budget) return { ...chosen, met: true };
    const smaller = take(from, Math.floor((chosen.cost * budget) / size) - 1);
    if (smaller.cost >= chosen.cost) break;
    chosen = smaller;
  }
  return { ...chosen, met: (await sizeOf(chosen.text, budget, exactTokens)) <= budget };
}

interface Taken extends Omit<Chosen, 'met'> {
  /** What it should take by estimate. */
  readonly cost: number;
}

export function budgetOf({ request, kind }: Job): number {
  const { maxTokens, capTokens } = request.limits ?? {};
  const usual = DEFAULTS.capTokens[kind.source];
  const cap = capTokens === Number.POSITIVE_INFINITY ? capTokens : Math.min(usual, capTokens ?? usual);
  const most = maxTokens ?? cap;
  return Math.max(0, most - (request.aroundTokens ?? DEFAULTS.aroundTokens));
}

/** The threshold is the odds at which a line is taken: at 0 everything stays, at 1 nothing. */
function valueOf({ request, kind }: Job): number {
  const threshold = request.threshold ?? DEFAULTS.threshold;
  return (VALUES[kind.source] * (1 - threshold)) / Math.max(1e-9, threshold);
}

async function sizeOf(text: string, budget: number, exactTokens?: ExactTokens): Promise<number> {
  if (budget === Number.POSITIVE_INFINITY) return 0;
  const estimated = estimateTokens(text);
  if (exactTokens === undefined || estimated < budget * CLEARLY_WITHIN) return estimated;
  return (await exactTokens())(text).tokens;
}

function write({ lines, kind, request, pruneId }: Job, { units }: Offer, chosen: Uint8Array): Omit<Chosen, 'met'> {
  const kept = new Uint8Array(lines.length);
  for (let unit = 0; unit < chosen.length; unit += 1) {
    if (chosen[unit] === 1) kept.fill(1, units[unit], units[unit + 1]);
  }
  return { kept, ...render(lines, kept, gapReasons(lines, kind.source), { ...DEFAULTS, ...request, pruneId }) };
}

function isEmpty(kept: Uint8Array): boolean {
  return kept.length > 0 && !kept.includes(1);
}

function withoutScopes(offer: Offer): Offer {
  return { ...offer, scopeEnd: offer.scopeEnd.map((_, unit) => unit + 1) };
}
