import type { Blocks } from '../../layout/blocks.ts';
import { COMMENT, DEFINITION, type Layout } from '../../layout/layout.ts';
import { type RangeScore, rangeScorer, scoreEach } from './bm25.ts';
import { addBoth, type Columns, type Scratch, type Values } from './columns.ts';
import type { GoalTerms } from './goal.ts';
import type { Hits } from './hits.ts';
import { boxMean, decayingMax } from './smooth.ts';
import { bestWindows } from './windows.ts';

export interface Match {
  /** How well the lines around a line match. Still in use: the caller gives both back. */
  readonly near3: Values;
  readonly block: Values;
  /** Share of the goal's weight that the best block has: low when nothing in the text answers the goal. */
  readonly peak: number;
  /** Blocks that match at all, best first. */
  readonly bestBlocks: readonly number[];
}

/** Where the goal's terms stand, and what the text is made of. */
export interface Matched {
  readonly hits: Hits;
  readonly goal: GoalTerms;
  readonly blocks: Blocks;
  readonly layout: Layout;
}

/** Everything that follows from where the goal's own terms stand. */
export function addMatches(matched: Matched, columns: Columns, scratch: Scratch): Match {
  const { hits, goal, layout } = matched;
  const score = rangeScorer(hits, goal);
  const { match: line, coverage } = scoreEach(hits, goal, { match: scratch.take(), coverage: scratch.take() });
  addBoth(columns, 'line', line);
  addCoverage(coverage, columns, scratch);
  const near3 = boxMean(line, 3, scratch.take());
  columns.add('near3', near3);
  addNeighbours(line, score, columns, scratch);
  const perBlock = addBlocks(matched, { line, score }, columns, scratch);
  const other = scratch.take();
  columns.add('fading', decayingMax(line, 0.8, other));
  addBoth(columns, 'scope', scopeColumn(line, layout, other));
  columns.add('blockTimesLine', product(line, perBlock.block, other));
  scratch.giveBack(line, other);
  addIdentifiers(matched, columns, scratch);
  return { near3, ...perBlock };
}

/** Gives `coverage` back. */
function addCoverage(coverage: Values, columns: Columns, scratch: Scratch): void {
  columns.add('coverage', coverage);
  const near = boxMean(coverage, 4, scratch.take());
  columns.add('coverageNear', near);
  scratch.giveBack(coverage, near);
}

function addNeighbours(line: Values, score: Score, columns: Columns, scratch: Scratch): void {
  const near8 = boxMean(line, 8, scratch.take());
  addBoth(columns, 'near8', near8);
  const window = bestWindows(score, 16, scratch.take());
  addBoth(columns, 'window16', window);
  columns.add('windowTimesNear', product(near8, window, near8));
  addBoth(columns, 'window40', bestWindows(score, 40, window));
  scratch.giveBack(near8, window);
}

/** Most goals name nothing: then there is nothing to look for in every line. */
function addIdentifiers({ hits, goal }: Matched, columns: Columns, scratch: Scratch): void {
  if (!goal.identifiers.includes(1)) {
    columns.addConstant('identifiers', 0);
    columns.addConstant('identifiersNear', 0);
    return;
  }
  const identifiers = identifierColumn(hits, goal, scratch.take());
  columns.add('identifiers', identifiers);
  const near = boxMean(identifiers, 4, scratch.take());
  columns.add('identifiersNear', near);
  scratch.giveBack(identifiers, near);
}

type Score = (first: number, end: number) => RangeScore;

interface Scored {
  readonly match: Float64Array;
  readonly coverage: Float64Array;
}

function addBlocks(
  { blocks, layout }: Matched,
  { line, score }: { readonly line: Values; readonly score: Score },
  columns: Columns,
  scratch: Scratch,
): Omit<Match, 'near3'> {
  const { match, coverage } = scoreBlocks(blocks, score);
  const order = Array.from(match, (_, at) => at).sort((a, b) => (match[b] ?? 0) - (match[a] ?? 0) || a - b);
  const rank = new Float64Array(match.length);
  for (const [place, at] of order.entries()) rank[at] = (match[at] ?? 0) > 0 ? 1 / (1 + place) : 0;
  const block = spread(blocks, (at) => match[at] ?? 0, scratch.take());
  addBoth(columns, 'block', block);
  const other = scratch.take();
  columns.add(
    'blockCoverage',
    spread(blocks, (at) => coverage[at] ?? 0, other),
  );
  columns.add(
    'blockRank',
    spread(blocks, (at) => rank[at] ?? 0, other),
  );
  addBoth(
    columns,
    'header',
    spread(blocks, (_, first, end) => headerMatch(line, layout, first, end), other),
  );
  scratch.giveBack(other);
  // How much of the goal the best block has at all: being first says little where nothing matches.
  const peak = coverage.reduce((most, value) => Math.max(most, value), 0);
  return { block, peak, bestBlocks: order.filter((at) => (match[at] ?? 0) > 0) };
}

function scoreBlocks(blocks: Blocks, score: Score): Scored {
  const size = blocks.starts.length - 1;
  const match = new Float64Array(size);
  const coverage = new Float64Array(size);
  for (let at = 0; at < size; at += 1) {
    const scored = score(blocks.starts[at] ?? 0, blocks.starts[at + 1] ?? 0);
    match[at] = scored.match;
    coverage[at] = scored.coverage;
  }
  return { match, coverage };
}

/** Gives every line the value of its block. */
export function spread(
  blocks: Blocks,
  value: (block: number, first: number, end: number) => number,
  out: Values,
): Values {
  for (let at = 0; at + 1 < blocks.starts.length; at += 1) {
    const first = blocks.starts[at] ?? 0;
    const end = blocks.starts[at + 1] ?? first;
    out.fill(value(at, first, end), first, end);
  }
  return out;
}

function product(left: Values, right: Values, out: Values): Values {
  for (let at = 0; at < out.length; at += 1) out[at] = (left[at] ?? 0) * (right[at] ?? 0);
  return out;
}

/** Best match among a block's leading comment and its definition line. */
function headerMatch(line: Values, layout: Layout, first: number, end: number): number {
  let best = 0;
  for (let at = first; at < end; at += 1) {
    const flags = layout.flags[at] ?? 0;
    if ((flags & (COMMENT | DEFINITION)) === 0) break;
    best = Math.max(best, line[at] ?? 0);
    if ((flags & DEFINITION) !== 0) break;
  }
  return best;
}

/** Best match among the lines that enclose a line. Parents come first in the text, so one pass carries it down. */
function scopeColumn(line: Values, layout: Layout, scope: Values): Values {
  scope.fill(0);
  for (let at = 0; at < line.length; at += 1) {
    const parent = layout.parent[at] ?? -1;
    if (parent !== -1) scope[at] = Math.max((scope[parent] ?? 0) * 0.8, line[parent] ?? 0);
  }
  return scope;
}

function identifierColumn(hits: Hits, goal: GoalTerms, column: Values): Values {
  column.fill(0);
  for (let at = 0; at < column.length; at += 1) {
    for (let hit = hits.starts[at] ?? 0; hit < (hits.starts[at + 1] ?? 0); hit += 1) {
      const place = hits.places[hit] ?? 0;
      if (goal.identifiers[place] === 1)
        column[at] = (column[at] ?? 0) + (goal.weights[place] ?? 0) / Math.max(1e-9, goal.total);
    }
  }
  return column;
}
