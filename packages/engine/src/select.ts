/** What there is to choose from. A unit is a run of lines that stay or go together. */
export interface Offer {
  /** The first line of each unit, and the number of lines as a closing fence. */
  readonly units: Uint32Array;
  /** One past the last unit that makes no sense without this one: a cut unit takes them along. */
  readonly scopeEnd: Uint32Array;
  /** How many lines of the unit the reader needs: the sum of their probabilities. */
  readonly need: Float64Array;
  /** What the unit costs the reader. */
  readonly tokens: Float64Array;
  /** 1 for units that stay at any price. */
  readonly forced: Uint8Array;
  /** What a gap costs: the tokens of its marker, and on top of them what a break in reading is worth. */
  readonly marker: number;
  readonly pause: number;
}

export interface Bounds {
  /** What a needed line is worth in tokens, unless a bound says otherwise. */
  readonly value: number;
  /** The fewest lines that stay: wins over the budget. */
  readonly fewest: number;
  /** The most tokens that the kept lines and the markers may take. */
  readonly maxTokens: number;
}

/** Halvings of the value, up and down: after so many, neighbouring values choose the same lines. */
const STEPS = 48;
const LARGEST_VALUE = 1e15;
const LEAST_VALUE = 1e-6;

/**
 * The units that are worth most. A larger value never cuts a unit that a smaller one keeps: a budget is therefore met by
 * lowering the value, and a floor by raising it.
 */
export function select(offer: Offer, { value, fewest, maxTokens }: Bounds): Uint8Array {
  const isEnough = (kept: Uint8Array): boolean => linesIn(offer, kept) >= fewest;
  const kept = optimum(offer, value);
  if (!isEnough(kept)) {
    const { below, above } = turningPoint(offer, value, LARGEST_VALUE, isEnough);
    return addBest(offer, below, above, { fewest, maxTokens: Number.POSITIVE_INFINITY });
  }
  if (costOf(offer, kept) <= maxTokens) return kept;
  const isTooMuch = (units: Uint8Array): boolean => costOf(offer, units) > maxTokens && isEnough(units);
  const { below, above } = turningPoint(offer, LEAST_VALUE, value, isTooMuch);
  if (!isEnough(below)) return addBest(offer, below, above, { fewest, maxTokens: Number.POSITIVE_INFINITY });
  if (costOf(offer, below) > maxTokens) return below;
  return addBest(offer, below, above, { fewest: Number.POSITIVE_INFINITY, maxTokens });
}

/**
 * Maximises Σ kept (need · value − tokens) − Σ gaps (marker + pause), exactly. From the back, each unit learns what the
 * rest is worth after a kept and after a cut unit; from the front, each takes the better way, keeping when in doubt.
 */
export function optimum(offer: Offer, value: number): Uint8Array {
  const { need, tokens, forced, scopeEnd } = offer;
  const count = need.length;
  const gap = offer.marker + offer.pause;
  const afterKept = new Float64Array(count + 1);
  const afterCut = new Float64Array(count + 1);
  for (let unit = count - 1; unit >= 0; unit -= 1) {
    const keep = (need[unit] ?? 0) * value - (tokens[unit] ?? 0) + (afterKept[unit + 1] ?? 0);
    const cut = forced[unit] === 1 ? Number.NEGATIVE_INFINITY : (afterCut[scopeEnd[unit] ?? 0] ?? 0);
    afterKept[unit] = Math.max(keep, cut - gap);
    afterCut[unit] = Math.max(keep, cut);
  }
  const kept = new Uint8Array(count);
  let open = false;
  for (let unit = 0; unit < count; ) {
    const keep = (need[unit] ?? 0) * value - (tokens[unit] ?? 0) + (afterKept[unit + 1] ?? 0);
    const cut: number = (afterCut[scopeEnd[unit] ?? 0] ?? 0) - (open ? 0 : gap);
    open = forced[unit] === 0 && cut > keep;
    if (!open) kept[unit] = 1;
    unit = open ? (scopeEnd[unit] ?? count) : unit + 1;
  }
  return kept;
}

/** The optimum right below and right above the value from which on `holds` is true. */
function turningPoint(offer: Offer, low: number, high: number, holds: (kept: Uint8Array) => boolean) {
  let [poor, rich] = [Math.max(low, LEAST_VALUE), high];
  let [below, above] = [optimum(offer, poor), optimum(offer, rich)];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = Math.sqrt(poor * rich);
    const kept = optimum(offer, middle);
    if (holds(kept)) [above, rich] = [kept, middle];
    else [below, poor] = [kept, middle];
  }
  return { below, above };
}

/**
 * A little more value may buy a whole block at once, which breaks a budget or is more than a floor asks for. Then the
 * block's units are added one by one, best first, each with the units it needs. For the rest of a budget no further hole is
 * made: a unit joins what is kept, or is the first.
 */
function addBest(
  offer: Offer,
  below: Uint8Array,
  above: Uint8Array,
  { fewest, maxTokens }: Pick<Bounds, 'fewest' | 'maxTokens'>,
): Uint8Array {
  const { need, tokens } = offer;
  const needed = enclosing(offer.scopeEnd);
  const density = (unit: number): number => (need[unit] ?? 0) / Math.max(1, tokens[unit] ?? 0);
  const left = Array.from(above.keys()).filter((unit) => above[unit] === 1 && below[unit] === 0);
  left.sort((a, b) => density(b) - density(a) || a - b);
  const kept = below.slice();
  let cost = costOf(offer, kept);
  let lines = linesIn(offer, kept);
  for (const unit of left) {
    if (lines >= fewest) break;
    const added: number[] = [];
    let [price, holes] = [0, 0];
    for (let at = unit; at !== -1 && kept[at] === 0; at = needed[at] ?? -1) {
      price += tokens[at] ?? 0;
      holes += gapsMade(kept, at);
      kept[at] = 1;
      added.push(at);
    }
    const more = price + offer.marker * holes;
    const tears = holes > 0 && lines > 0 && maxTokens < Number.POSITIVE_INFINITY;
    if (tears || cost + more > maxTokens) for (const at of added) kept[at] = 0;
    else {
      cost += more;
      for (const at of added) lines += (offer.units[at + 1] ?? 0) - (offer.units[at] ?? 0);
    }
  }
  return kept;
}

/** How many gaps more there are once a unit is kept: it may split one, shrink one, or close one. */
function gapsMade(kept: Uint8Array, unit: number): number {
  const before = unit > 0 && kept[unit - 1] === 0 ? 1 : 0;
  const after = unit + 1 < kept.length && kept[unit + 1] === 0 ? 1 : 0;
  return before + after - 1;
}

/** The innermost unit that each unit needs, or -1. */
function enclosing(scopeEnd: Uint32Array): Int32Array {
  const above = new Int32Array(scopeEnd.length).fill(-1);
  const open: number[] = [];
  for (let unit = 0; unit < scopeEnd.length; unit += 1) {
    while (open.length > 0 && (scopeEnd[open.at(-1) ?? 0] ?? 0) <= unit) open.pop();
    above[unit] = open.at(-1) ?? -1;
    if ((scopeEnd[unit] ?? 0) > unit + 1) open.push(unit);
  }
  return above;
}

/** Tokens of the kept units and of the markers between them. */
export function costOf({ tokens, marker }: Offer, kept: Uint8Array): number {
  let cost = 0;
  for (let unit = 0; unit < kept.length; unit += 1) {
    if (kept[unit] === 1) cost += tokens[unit] ?? 0;
    else if (unit === 0 || kept[unit - 1] === 1) cost += marker;
  }
  return cost;
}

function linesIn({ units }: Offer, kept: Uint8Array): number {
  let lines = 0;
  for (let unit = 0; unit < kept.length; unit += 1) {
    if (kept[unit] === 1) lines += (units[unit + 1] ?? 0) - (units[unit] ?? 0);
  }
  return lines;
}
