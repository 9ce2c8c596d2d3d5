import type { Blocks } from '../../layout/blocks.ts';
import { COMMENT, DEFINITION, type Layout } from '../../layout/layout.ts';
import { type RangeScore, rangeScorer, scoreEach } from './bm25.ts';
import { addStanding, type Columns, type Scratch, type Values } from './columns.ts';
import type { GoalTerms } from './goal.ts';
import type { Hits } from './hits.ts';
import { boxMean } from './smooth.ts';
import { bestWindows } from './windows.ts';

export interface Match {
  /** How well the lines around a line match. Still in use: the caller gives both back. */
  readonly near3: Values;
  readonly block: Values;
  /** The largest share of the goal's weight that a line has, and the most telling terms that a block has. */
  readonly bestLine: number;
  readonly telling: number;
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
  columns.add('line', line);
  addStanding(columns, 'line', line, scratch);
  columns.add('coverage', coverage);
  addStanding(columns, 'coverage', coverage, scratch);
  addWindows({ line, score, out: coverage }, columns, scratch);
  const { block, telling } = addBlocks(matched, { line, score }, columns, scratch);
  const other = scratch.take();
  columns.add('scope', scopeColumn(line, layout, other));
  addStanding(columns, 'scope', other, scratch);
  columns.add('blockTimesLine', product(line, block, other));
  const near3 = boxMean(line, 3, other);
  scratch.giveBack(line, coverage);
  return { near3, block, bestLine: bestLineOf(hits, goal), telling };
}

/** How well single lines and stretches of them match. */
interface Scores {
  readonly line: Values;
  readonly score: (first: number, end: number) => RangeScore;
}

/** The largest share of the goal's own weight that a line has. */
function bestLineOf({ starts, places }: Hits, { own, weights, total }: GoalTerms): number {
  let best = 0;
  for (let line = 0; line + 1 < starts.length; line += 1) {
    let weight = 0;
    for (let hit = starts[line] ?? 0; hit < (starts[line + 1] ?? 0); hit += 1) {
      const place = places[hit] ?? 0;
      if (place < own) weight += weights[place] ?? 0;
    }
    best = Math.max(best, weight);
  }
  return total === 0 ? 0 : best / total;
}

/** Lines that answer a goal often share no word with it, but stand among lines that do. */
function addWindows({ line, score, out }: Scores & { readonly out: Values }, columns: Columns, scratch: Scratch): void {
  columns.add('near8', boxMean(line, 8, out));
  addStanding(columns, 'window16', bestWindows(score, 16, out), scratch);
  addStanding(columns, 'window40', bestWindows(score, 40, out), scratch);
}

function addBlocks(
  { blocks, layout }: Matched,
  { line, score }: Scores,
  columns: Columns,
  scratch: Scratch,
): Pick<Match, 'block' | 'telling'> {
  const block = scratch.take();
  const other = scratch.take();
  let most = 0;
  for (let at = 0; at + 1 < blocks.starts.length; at += 1) {
    const first = blocks.starts[at] ?? 0;
    const end = blocks.starts[at + 1] ?? first;
    const { match, coverage, telling } = score(first, end);
    block.fill(match, first, end);
    other.fill(coverage, first, end);
    most = Math.max(most, telling);
  }
  columns.add('block', block);
  addStanding(columns, 'block', block, scratch);
  columns.add('blockCoverage', other);
  for (let at = 0; at + 1 < blocks.starts.length; at += 1) {
    const first = blocks.starts[at] ?? 0;
    const end = blocks.starts[at + 1] ?? first;
    other.fill(headerMatch(line, layout, first, end), first, end);
  }
  columns.add('header', other);
  scratch.giveBack(other);
  return { block, telling: most };
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

function product(left: Values, right: Values, out: Values): Values {
  for (let at = 0; at < out.length; at += 1) out[at] = (left[at] ?? 0) * (right[at] ?? 0);
  return out;
}
