import type { Blocks } from '../../layout/blocks.ts';
import { COMMENT, DEFINITION, type Layout } from '../../layout/layout.ts';
import { rangeScorer, scoreEach } from './bm25.ts';
import type { GoalTerms } from './goal.ts';
import type { Hits } from './hits.ts';
import { boxMean, decayingMax, relative, type Scaled } from './smooth.ts';
import { bestWindows } from './windows.ts';

/** A feature of every line, or one that is the same for all. */
export type Column = Float32Array | Uint8Array | Scaled | number;

/** Feature columns by name. */
export type Named = Readonly<Record<string, Column>>;

export interface MatchColumns {
  readonly columns: Named;
  readonly near3: Float32Array;
  readonly block: Float32Array;
  /** Share of the goal's weight that the best block has: low when nothing in the text answers the goal. */
  readonly peak: number;
  /** Blocks that match at all, best first. */
  readonly bestBlocks: readonly number[];
}

/** Everything that follows from where the goal's own terms stand. */
export function matchColumns(hits: Hits, goal: GoalTerms, blocks: Blocks, layout: Layout): MatchColumns {
  const count = hits.lengths.length;
  const score = rangeScorer(hits, goal);
  const { match: line, coverage } = scoreEach(hits, goal);
  const near3 = boxMean(line, 3);
  const near8 = boxMean(line, 8);
  const window16 = bestWindows(score, count, 16);
  const window40 = bestWindows(score, count, 40);
  const perBlock = blockColumns(score, blocks, line, layout);
  const scope = scopeColumn(line, layout);
  const namesAny = goal.identifiers.includes(1);
  const identifiers = namesAny ? identifierColumn(hits, goal) : new Float32Array(0);
  const columns: Named = {
    line,
    lineRelative: relative(line),
    near3,
    near8,
    near8Relative: relative(near8),
    fading: decayingMax(line, 0.8),
    window16,
    window16Relative: relative(window16),
    window40,
    window40Relative: relative(window40),
    ...perBlock.columns,
    scope,
    scopeRelative: relative(scope),
    // Most goals name nothing: then there is nothing to keep for every line.
    identifiers: namesAny ? identifiers : 0,
    identifiersNear: namesAny ? boxMean(identifiers, 4) : 0,
    coverage,
    coverageNear: boxMean(coverage, 4),
    blockTimesLine: line.map((value, at) => value * (perBlock.block[at] ?? 0)),
    windowTimesNear: near8.map((value, at) => value * (window16[at] ?? 0)),
  };
  return { columns, near3, block: perBlock.block, peak: perBlock.peak, bestBlocks: perBlock.bestBlocks };
}

function blockColumns(score: ReturnType<typeof rangeScorer>, blocks: Blocks, line: Float32Array, layout: Layout) {
  const count = line.length;
  const size = blocks.starts.length - 1;
  const scored = Array.from({ length: size }, (_, at) => ({
    ...score(blocks.starts[at] ?? 0, blocks.starts[at + 1] ?? count),
  }));
  const order = scored.map((_, at) => at).sort((a, b) => (scored[b]?.match ?? 0) - (scored[a]?.match ?? 0) || a - b);
  const rank = new Float32Array(size);
  for (const [place, at] of order.entries()) rank[at] = (scored[at]?.match ?? 0) > 0 ? 1 / (1 + place) : 0;
  // How much of the goal the best block has at all: being first says little where nothing matches.
  const peak = scored.reduce((most, { coverage }) => Math.max(most, coverage), 0);
  const block = new Float32Array(count);
  const blockCoverage = new Float32Array(count);
  const blockRank = new Float32Array(count);
  const header = new Float32Array(count);
  for (let at = 0; at < size; at += 1) {
    const first = blocks.starts[at] ?? 0;
    const end = blocks.starts[at + 1] ?? count;
    block.fill(scored[at]?.match ?? 0, first, end);
    blockCoverage.fill(scored[at]?.coverage ?? 0, first, end);
    blockRank.fill(rank[at] ?? 0, first, end);
    header.fill(headerMatch(line, layout, first, end), first, end);
  }
  const columns: Named = {
    block,
    blockRelative: relative(block),
    blockCoverage,
    blockRank,
    header,
    headerRelative: relative(header),
  };
  return { columns, block, peak, bestBlocks: order.filter((at) => (scored[at]?.match ?? 0) > 0) };
}

/** Best match among a block's leading comment and its definition line. */
function headerMatch(line: Float32Array, layout: Layout, first: number, end: number): number {
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
function scopeColumn(line: Float32Array, layout: Layout): Float32Array {
  const scope = new Float32Array(line.length);
  for (let at = 0; at < line.length; at += 1) {
    const parent = layout.parent[at] ?? -1;
    if (parent !== -1) scope[at] = Math.max((scope[parent] ?? 0) * 0.8, line[parent] ?? 0);
  }
  return scope;
}

function identifierColumn(hits: Hits, goal: GoalTerms): Float32Array {
  const column = new Float32Array(hits.lengths.length);
  for (let at = 0; at < column.length; at += 1) {
    for (let hit = hits.starts[at] ?? 0; hit < (hits.starts[at + 1] ?? 0); hit += 1) {
      const place = hits.places[hit] ?? 0;
      if (goal.identifiers[place] === 1)
        column[at] = (column[at] ?? 0) + (goal.weights[place] ?? 0) / Math.max(1e-9, goal.total);
    }
  }
  return column;
}
