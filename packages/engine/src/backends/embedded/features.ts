import { cutBlocks } from '../../layout/blocks.ts';
import { BLANK, CLOSER, COMMENT, DEFINITION, type Layout, layoutOf } from '../../layout/layout.ts';
import { scanTexts, type TermTable } from '../../terms/terms.ts';
import type { JudgeRequest, SourceType } from '../backend.ts';
import { addStanding, type Columns, Scratch } from './columns.ts';
import { type GoalTerms, readGoal } from './goal.ts';
import { findHits } from './hits.ts';
import { addLogSigns } from './log-signs.ts';
import { addMatches, type Match, type Matched } from './match.ts';
import { linkSymbols } from './symbols.ts';

/** What was learned of the text as a whole on the way. */
export interface Overview {
  readonly goal: GoalTerms;
  /** The largest share of the goal's weight that a line has, and the most telling terms that a block has. */
  readonly bestLine: number;
  readonly telling: number;
}

/** Hands what is known of each line with regard to the goal to `columns`, feature by feature. */
export function computeFeatures(request: JudgeRequest & { source: SourceType }, columns: Columns): Overview {
  const { goal: words, texts, source, checkpoint = () => undefined } = request;
  const table = scanTexts(texts, checkpoint);
  const layout = layoutOf(texts, source);
  checkpoint();
  // What went wrong, a log shows by more than words that mean the same.
  const goal = readGoal(words, table, { related: source !== 'logs' });
  const scratch = new Scratch(texts.length);
  const matched: Matched = { hits: findHits(table, goal), goal, blocks: cutBlocks(layout), layout };
  const match = addMatches(matched, columns, scratch);
  checkpoint();
  if (source === 'code') addLinks({ table, ...matched }, match, columns, scratch);
  scratch.giveBack(match.near3, match.block);
  if (source === 'logs') addLogSigns(texts, table, columns, scratch);
  checkpoint();
  addShapes(layout, table, columns, scratch);
  columns.addConstant('found', goal.found);
  columns.addConstant('goalSize', Math.log1p(goal.spoken) / 3);
  return { goal, bestLine: match.bestLine, telling: match.telling };
}

/** A function matters when a line that matters calls it. */
function addLinks(
  { table, layout, blocks }: Matched & { readonly table: TermTable },
  { near3, block }: Match,
  columns: Columns,
  scratch: Scratch,
): void {
  const room = { defined: scratch.take(), used: scratch.take() };
  linkSymbols({ table, layout, blocks }, { line: near3, block }, room);
  addStanding(columns, 'definedByUse', room.defined, scratch);
  addStanding(columns, 'usesDefined', room.used, scratch);
  scratch.giveBack(room.defined, room.used);
}

function addShapes({ flags, indent }: Layout, { starts }: TermTable, columns: Columns, scratch: Scratch): void {
  const count = flags.length;
  const values = scratch.take();
  const add = (feature: string, value: (at: number) => number): void => {
    for (let at = 0; at < count; at += 1) values[at] = value(at);
    columns.add(feature, values);
  };
  const addFlag = (feature: string, bit: number): void =>
    add(feature, (at) => (((flags[at] ?? 0) & bit) === 0 ? 0 : 1));
  addFlag('isDefinition', DEFINITION);
  addFlag('isComment', COMMENT);
  addFlag('isCloser', CLOSER);
  addFlag('isBlank', BLANK);
  add('indent', (at) => Math.min(1, (indent[at] ?? 0) / 16));
  add('length', (at) => Math.min(2, Math.log1p((starts[at + 1] ?? 0) - (starts[at] ?? 0)) / 2));
  add('isEdge', (at) => (at < 3 || at >= count - 3 ? 1 : 0));
  scratch.giveBack(values);
}
