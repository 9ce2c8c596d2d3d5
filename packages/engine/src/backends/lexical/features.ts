import { cutBlocks } from '../../layout/blocks.ts';
import { BLANK, CLOSER, COMMENT, DEFINITION, IMPORT, type Layout, layoutOf } from '../../layout/layout.ts';
import { isErrorLine } from '../../logs/error-line.ts';
import { findTemplates } from '../../logs/template.ts';
import { scanTexts, type TermTable } from '../../terms/terms.ts';
import type { JudgeRequest, SourceType } from '../backend.ts';
import { rangeScorer, scoreEach } from './bm25.ts';
import { type Columns, Scratch, type Values } from './columns.ts';
import { feedback } from './feedback.ts';
import { readGoal, readRelated } from './goal.ts';
import { findHits } from './hits.ts';
import { addMatches, type Match, type Matched, spread } from './match.ts';
import { boxMean } from './smooth.ts';
import { linkSymbols } from './symbols.ts';

/** What is known of each line with regard to the goal; one column per feature, in this order. */
export const FEATURES: readonly string[] = `
  line lineRelative near3 near8 near8Relative fading window16 window16Relative window40 window40Relative
  block blockRelative blockCoverage blockRank header headerRelative scope scopeRelative
  feedback feedbackNear feedbackBlock identifiers identifiersNear coverage coverageNear definedByUse usesDefined concept conceptNear conceptBlock
  isDefinition isComment isImport isCloser isBlank indent length position isEdge
  blockTimesLine windowTimesNear isError errorNear repeated unique found goalSize textSize`
  .trim()
  .split(/\s+/);

/**
 * Hands every feature of `FEATURES` to `columns`. Returns the share of the goal's weight in the block that has most of it.
 */
export function computeFeatures(request: JudgeRequest & { source: SourceType }, columns: Columns): number {
  const { goal: words, texts, source, checkpoint = () => undefined } = request;
  const table = scanTexts(texts, checkpoint);
  const layout = layoutOf(texts, source);
  checkpoint();
  const goal = readGoal(words, table);
  const scratch = new Scratch(texts.length);
  const matched: Matched = { hits: findHits(table, goal), goal, blocks: cutBlocks(layout), layout };
  const match = addMatches(matched, columns, scratch);
  checkpoint();
  addLinks(table, matched, match, { columns, scratch });
  addFeedback(table, matched, match, { columns, scratch });
  checkpoint();
  addLogs(request, columns, scratch);
  const related = readRelated(words, table, goal);
  addConcepts({ ...matched, hits: findHits(table, related), goal: related }, columns, scratch);
  addShapes(layout, table, columns, scratch);
  columns.addConstant('found', goal.found);
  columns.addConstant('goalSize', Math.log1p(goal.spoken) / 3);
  columns.addConstant('textSize', Math.log1p(texts.length) / 8);
  return match.peak;
}

interface Sink {
  readonly columns: Columns;
  readonly scratch: Scratch;
}

/** The last to need how the surroundings match: gives them back. */
function addLinks(
  table: TermTable,
  { layout, blocks }: Matched,
  { near3, block }: Match,
  { columns, scratch }: Sink,
): void {
  const room = { defined: scratch.take(), used: scratch.take() };
  linkSymbols({ table, layout, blocks }, { line: near3, block }, room);
  columns.add('definedByUse', room.defined);
  columns.add('usesDefined', room.used);
  scratch.giveBack(room.defined, room.used, near3, block);
}

function addFeedback(
  table: TermTable,
  { goal, blocks }: Matched,
  { bestBlocks }: Match,
  { columns, scratch }: Sink,
): void {
  const borrowed = feedback({ table, goal, blocks }, bestBlocks, scratch.take());
  columns.add('feedback', borrowed);
  const other = scratch.take();
  columns.add('feedbackNear', boxMean(borrowed, 5, other));
  columns.add(
    'feedbackBlock',
    spread(blocks, (_, first, end) => mean(borrowed, first, end), other),
  );
  scratch.giveBack(borrowed, other);
}

function mean(values: Values, first: number, end: number): number {
  let sum = 0;
  for (let at = first; at < end; at += 1) sum += values[at] ?? 0;
  return sum / Math.max(1, end - first);
}

/** Words that mean what the goal says, counted once per line and block. */
function addConcepts({ hits, goal, blocks }: Matched, columns: Columns, scratch: Scratch): void {
  const other = scratch.take();
  const { coverage: concept } = scoreEach(hits, goal, { match: other, coverage: scratch.take() });
  for (let at = 0; at < concept.length; at += 1) if ((concept[at] ?? 0) > 1) concept[at] = 1;
  columns.add('concept', concept);
  columns.add('conceptNear', boxMean(concept, 4, other));
  const score = rangeScorer(hits, goal);
  columns.add(
    'conceptBlock',
    spread(blocks, (_, first, end) => Math.min(1.5, score(first, end).coverage), other),
  );
  scratch.giveBack(concept, other);
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
  addFlag('isImport', IMPORT);
  addFlag('isCloser', CLOSER);
  addFlag('isBlank', BLANK);
  add('indent', (at) => Math.min(1, (indent[at] ?? 0) / 16));
  add('length', (at) => Math.min(2, Math.log1p((starts[at + 1] ?? 0) - (starts[at] ?? 0)) / 2));
  add('position', (at) => at / Math.max(1, count - 1));
  add('isEdge', (at) => (at < 3 || at >= count - 3 ? 1 : 0));
  scratch.giveBack(values);
}

const LOG_FEATURES = ['isError', 'errorNear', 'repeated', 'unique'];

/** Templates and alarms mean something in logs only; elsewhere they are nothing. */
function addLogs({ texts, source }: JudgeRequest, columns: Columns, scratch: Scratch): void {
  if (source !== 'logs') {
    for (const feature of LOG_FEATURES) columns.addConstant(feature, 0);
    return;
  }
  const isError = scratch.take();
  const other = scratch.take();
  for (let at = 0; at < texts.length; at += 1) isError[at] = isErrorLine(texts.at(at)) ? 1 : 0;
  columns.add('isError', isError);
  columns.add('errorNear', boxMean(isError, 4, other));
  const { earlier, total } = findTemplates(texts);
  for (let at = 0; at < texts.length; at += 1) other[at] = Math.min(1, Math.log2(1 + (earlier[at] ?? 0)) / 6);
  columns.add('repeated', other);
  for (let at = 0; at < texts.length; at += 1) other[at] = 1 / Math.max(1, total[at] ?? 0);
  columns.add('unique', other);
  scratch.giveBack(isError, other);
}
