import type { Comparison, MetricSummary } from './compare.ts';
import type { Interval } from './statistics.ts';

type Compared = Pick<Comparison, 'pairs' | 'summary' | 'simulated'>;

/** A comparison in one sentence: what a person wants to know before any table. */
export function compareSentence({ pairs, summary, simulated }: Compared): string {
  const told = [tokensPart(summary.tokens), turnsPart(summary.turns), successPart(pairs)].join(', ');
  // Nobody may take the numbers of a script for those of a model.
  return simulated === true ? `Simulated: ${told}` : `${told.charAt(0).toUpperCase()}${told.slice(1)}`;
}

function tokensPart({ with: pruned, without, saved, pairs }: MetricSummary): string {
  if (pairs === 0 || without === 0) return 'tokens not told';
  const percent = Math.round((100 * (without - pruned)) / without);
  if (percent === 0) return 'as many tokens';
  const chance = holdsZero(saved.t) ? ' (could be chance)' : '';
  return `${Math.abs(percent)} % ${percent > 0 ? 'fewer' : 'more'} tokens${chance}`;
}

function turnsPart({ with: pruned, without, pairs }: MetricSummary): string {
  if (pairs === 0) return 'turns not told';
  const more = Math.round(10 * (pruned - without)) / 10;
  if (more === 0) return 'as many turns';
  const count = Math.abs(more);
  return `${WORDS[count] ?? count} ${more > 0 ? 'more' : 'fewer'} ${count === 1 ? 'turn' : 'turns'}`;
}

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

function successPart(pairs: Compared['pairs']): string {
  const of = pairs.length;
  const pruned = pairs.filter((pair) => pair.with.success).length;
  const whole = pairs.filter((pair) => pair.without.success).length;
  if (pruned === whole) return `success unchanged (${pruned} of ${of})`;
  return `success ${pruned > whole ? 'up' : 'down'} from ${whole} to ${pruned} of ${of}`;
}

function holdsZero(interval: Interval): boolean {
  return interval !== null && interval[0] <= 0 && interval[1] >= 0;
}
