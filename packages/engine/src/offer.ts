import type { Judgement, SourceType } from './backends/backend.ts';
import { estimateTokens } from './estimate.ts';
import type { Job } from './job.ts';
import { loose, type Structure } from './kinds/kind.ts';
import { askTable } from './kinds/table-question.ts';
import { formatCanonical, formatCompact } from './marker.ts';
import { DEFAULTS } from './options.ts';
import type { Protection } from './protect/protect.ts';
import type { Offer } from './select.ts';

/** What a break in reading is worth in tokens, beside its marker. */
const PAUSE = 16;
/** What `1234│ ` in front of a line takes. */
const NUMBER_TOKENS = 4;
/** However little a line is needed, a floor may ask for it. */
const LEAST_NEED = 1e-12;
const CERTAIN = 0.99;
const UNASKED = 0.002;

export interface Priced {
  readonly offer: Offer;
  /** How likely the reader needs each line. */
  readonly probability: Float64Array;
  /** What a line costs the reader. */
  readonly tokens: Float64Array;
  /** What a needed line is worth in tokens, where no budget is there to be spent. */
  readonly value: number;
  /** Nothing in the text is about the goal. */
  readonly noMatch: boolean;
  readonly warnings: readonly string[];
}

/** Puts prices on a judged text: what each unit is worth and costs, and what a gap costs. */
export function priceOf(job: Job, judgement: Judgement, protection: Protection): Priced {
  const { lines, kind } = job;
  const { probability: own, isAnswered = false, warnings } = probabilities(job, judgement);
  const noMatch = judgement.noMatch === true && !isAnswered;
  const tokens = tokensOf(job);
  // Scores that are the last word on single lines know no company.
  const certain = judgement.perText === true;
  const structure: Structure = certain ? loose(lines.length) : kind.structure(lines);
  const { joined, scopeEnd } = structure;
  const probability = lifted(own, structure);
  for (const [first, end] of protection.whole) joined.fill(1, first + 1, end);
  const units = unitsOf(joined);
  const offer = {
    ...sumsOf(units, probability, tokens),
    ...bound(units, scopeEnd, protection),
    units,
    marker: markerTokens(job),
    pause: PAUSE,
  };
  return { offer, probability, tokens, value: noMatch ? 0 : valueOf(job, judgement), noMatch, warnings };
}

/**
 * Missing a needed line costs a call that asks for it, and the lines that come with it. In a log a handful of lines out of
 * thousands are needed, and missing them costs another run of the command.
 */
const VALUES: Readonly<Record<SourceType, number>> = { code: 660, docs: 450, logs: 4200 };
/** What a backend wants for certain stays at any price. */
export const ANY_PRICE = 1e9;

/** The threshold is the odds at which a line is taken: at 0 everything stays, at 1 nothing. */
function valueOf({ request, kind }: Job, { perText }: Judgement): number {
  if (perText === true) return ANY_PRICE;
  const threshold = request.threshold ?? DEFAULTS.threshold;
  return (VALUES[kind.source] * (1 - threshold)) / Math.max(1e-9, threshold);
}

interface Needs {
  readonly probability: Float64Array;
  /** The text itself answers the goal, whatever words they share. */
  readonly isAnswered?: boolean;
  readonly warnings: readonly string[];
}

/** What the reader needs, as far as the backend can tell; a question about a whole table is answered by its columns. */
function probabilities({ lines, kind, request }: Job, { scores, perText }: Judgement): Needs {
  if (perText === true) {
    const threshold = request.threshold ?? DEFAULTS.threshold;
    return { probability: scores.map((score) => (score >= threshold ? score : score * LEAST_NEED)), warnings: [] };
  }
  const asked = kind.name === 'table' ? askTable(lines, request.goal) : undefined;
  if (asked === undefined) return { probability: scores, warnings: [] };
  if (asked === 'all_rows')
    return { probability: scores.map(() => CERTAIN), isAnswered: true, warnings: ['needs_all_rows'] };
  const probability = scores.map((score) => score * UNASKED);
  for (const [rank, line] of asked.lines.entries()) probability[line] = CERTAIN ** (1 + rank);
  return { probability, isAnswered: true, warnings: [] };
}

/** What a reader needs to make sense of a line is needed about as much as the line itself. */
function lifted(probability: Float64Array, { encloser, valuesUsed }: Structure): Float64Array {
  if (encloser === undefined) return probability;
  const lift = probability.slice();
  const raise = (line: number, to: number): void => {
    if (to > (lift[line] ?? 0)) lift[line] = to;
  };
  for (let line = 0; line < lift.length; line += 1) {
    const own = probability[line] ?? 0;
    if (valuesUsed === undefined || own < WORTH_EXPLAINING) continue;
    for (const value of valuesUsed(line)) raise(value, own * OF_VALUES);
  }
  for (let line = lift.length - 1; line >= 0; line -= 1) {
    const above = encloser[line] ?? -1;
    if (above !== -1) raise(above, lift[line] ?? 0);
  }
  return lift;
}

const WORTH_EXPLAINING = 0.01;
const OF_VALUES = 0.6;

function tokensOf({ request, lines }: Job): Float64Array {
  const prefix = (request.annotateLines ?? DEFAULTS.annotateLines) ? NUMBER_TOKENS : 0;
  const tokens = new Float64Array(lines.length);
  for (let line = 0; line < lines.length; line += 1) {
    tokens[line] = prefix + estimateTokens(lines.text, lines.start(line), lines.start(line + 1));
  }
  return tokens;
}

function unitsOf(joined: Uint8Array): Uint32Array {
  let count = 0;
  const starts = new Uint32Array(joined.length + 1);
  for (let line = 0; line < joined.length; line += 1) if (line === 0 || joined[line] === 0) starts[count++] = line;
  starts[count] = joined.length;
  return starts.slice(0, count + 1);
}

function sumsOf(units: Uint32Array, probability: Float64Array, tokens: Float64Array) {
  const count = units.length - 1;
  const sums = { need: new Float64Array(count), tokens: new Float64Array(count) };
  for (let unit = 0; unit < count; unit += 1) {
    for (let line = units[unit] ?? 0; line < (units[unit + 1] ?? 0); line += 1) {
      sums.need[unit] = (sums.need[unit] ?? 0) + Math.max(LEAST_NEED, probability[line] ?? 0);
      sums.tokens[unit] = (sums.tokens[unit] ?? 0) + (tokens[line] ?? 0);
    }
  }
  return sums;
}

/** Scopes and protection in units. What a protected line needs is protected along with it. */
function bound(units: Uint32Array, scopeEnd: Uint32Array, { lines }: Protection) {
  const count = units.length - 1;
  const unitAt = new Uint32Array(lines.length + 1).fill(count);
  for (let unit = 0; unit < count; unit += 1) unitAt.fill(unit, units[unit], units[unit + 1]);
  const ends = new Uint32Array(count);
  const forced = new Uint8Array(count);
  let lastForced = count;
  for (let unit = count - 1; unit >= 0; unit -= 1) {
    let end = unit + 1;
    for (let line = units[unit] ?? 0; line < (units[unit + 1] ?? 0); line += 1) {
      end = Math.max(end, (unitAt[(scopeEnd[line] ?? 1) - 1] ?? 0) + 1);
      if (lines[line] === 1) forced[unit] = 1;
    }
    ends[unit] = end;
    if (lastForced < end) forced[unit] = 1;
    if (forced[unit] === 1) lastForced = unit;
  }
  return { scopeEnd: ends, forced };
}

/** What a marker costs at most in this text. */
function markerTokens({ request, lines, pruneId }: Job): number {
  const { markers, includeMarkers, firstLine } = { ...DEFAULTS, ...request };
  if (!includeMarkers) return 0;
  const last = firstLine + lines.length - 1;
  const widest = { startLine: Math.max(firstLine, last - 9), endLine: last };
  const marker = markers === 'canonical' ? formatCanonical(pruneId, widest, 'off_goal') : formatCompact(widest);
  return estimateTokens(`${marker}\n`);
}
