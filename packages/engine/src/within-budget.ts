import { estimateTokens, type TokenCounter } from './estimate.ts';
import type { Job } from './job.ts';
import { ANY_PRICE, type Priced } from './offer.ts';
import { DEFAULTS } from './options.ts';
import { gapReasons } from './reasons.ts';
import { type Rendered, render } from './render.ts';
import { costOf, type Offer, select } from './select.ts';

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
  { offer, value: worth }: Priced,
  fewest: number,
  exactTokens?: ExactTokens,
): Promise<Chosen> {
  const budget = budgetOf(job);
  // A budget that is there to be spent buys everything that fits.
  const value = job.request.limits?.maxTokens === undefined ? worth : ANY_PRICE;
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
