import { addCompany, addRequired, type Company, forEachGap } from './company.ts';

/** Below this share of the threshold a line is not kept even when there is room. */
const HOPELESS = 0.36;

export interface Selection extends Company {
  /** Lower bound on kept lines. */
  readonly fewest: number;
  readonly threshold: number;
  /** So many of the best lines are wanted anyway: missing a line costs a reader more than reading one. */
  readonly room: number;
  /** Whether what belongs to the chosen lines comes along. */
  readonly company: boolean;
  readonly budget?: Budget;
}

/** The most tokens the result may take, and what its parts take. */
export interface Budget {
  readonly maxTokens: number;
  readonly line: (index: number) => number;
  readonly marker: number;
}

/**
 * Scores, protection and limits to kept lines. Every step only adds lines, and adds no fewer when given more: a higher
 * threshold therefore never keeps more, and the lower bound holds whatever the steps do.
 */
export function select(selection: Selection): Uint8Array {
  const order = byScore(selection.scores);
  const floor = linesForFloor(selection, order);
  const wanted = Math.max(floor, countWanted(selection, order));
  const { budget, company } = selection;
  const kept = take(selection, order, wanted, company);
  if (budget === undefined || fits(budget, kept)) return kept;
  const most = mostThatFit(budget, floor, wanted, (count) => take(selection, order, count, company));
  if (most > floor) return take(selection, order, most, company);
  // Not even one line fits with its company: then the best lines come alone.
  const alone = mostThatFit(budget, floor, wanted, (count) => take(selection, order, count, false));
  return take(selection, order, alone, false);
}

/** The best `count` lines with what belongs to them, and what must stay. */
function take(selection: Selection, order: Uint32Array, count: number, withCompany: boolean): Uint8Array {
  const chosen = new Uint8Array(order.length);
  for (let at = 0; at < count; at += 1) chosen[order[at] ?? 0] = 1;
  if (withCompany) addCompany(chosen, selection);
  addRequired(chosen, selection);
  return chosen;
}

/** Best first; equal scores in the order of the text. */
function byScore(scores: Float64Array): Uint32Array {
  const order = new Uint32Array(scores.length);
  for (let at = 0; at < order.length; at += 1) order[at] = at;
  return order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}

/** How many of the best lines it takes, beside the protected ones, to reach the lower bound. */
function linesForFloor({ protection, fewest }: Selection, order: Uint32Array): number {
  let kept = 0;
  for (const mark of protection.lines) kept += mark;
  let taken = 0;
  while (kept < fewest && taken < order.length) {
    if (protection.lines[order[taken] ?? 0] === 0) kept += 1;
    taken += 1;
  }
  return taken;
}

/** Every line above the threshold, and below it, while there is room, lines that are not hopeless. */
function countWanted({ scores, threshold, room }: Selection, order: Uint32Array): number {
  let count = 0;
  while (count < order.length) {
    const score = scores[order[count] ?? 0] ?? 0;
    if (score < (count < room ? threshold * HOPELESS : threshold)) break;
    count += 1;
  }
  return count;
}

/** The most of the best lines whose result still fits; the lower bound wins over the budget. */
function mostThatFit(budget: Budget, floor: number, wanted: number, take: (count: number) => Uint8Array): number {
  let low = floor;
  let high = wanted;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(budget, take(middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whether kept lines and markers stay within the budget. */
export function fits({ maxTokens, line, marker }: Budget, kept: Uint8Array): boolean {
  let total = 0;
  for (let at = 0; at < kept.length; at += 1) if (kept[at] === 1) total += line(at);
  forEachGap(kept, () => {
    total += marker;
  });
  return total <= maxTokens;
}
