import { type Blocks, cutBlocks } from '../../layout/blocks.ts';
import { BLANK, CLOSER, COMMENT, DEFINITION, IMPORT, type Layout, layoutOf } from '../../layout/layout.ts';
import { isErrorLine } from '../../logs/error-line.ts';
import { findTemplates } from '../../logs/template.ts';
import { scanTexts } from '../../terms/terms.ts';
import type { JudgeRequest, SourceType } from '../backend.ts';
import { rangeScorer, scoreEach } from './bm25.ts';
import { feedback } from './feedback.ts';
import { type GoalTerms, readGoal, readRelated } from './goal.ts';
import { findHits, type Hits } from './hits.ts';
import { type Column, matchColumns, type Named } from './match.ts';
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

export interface Features {
  /** One column per entry of `FEATURES`. */
  readonly columns: readonly Column[];
  /** Share of the goal's weight in the block that has most of it. */
  readonly peak: number;
}

export function computeFeatures(request: JudgeRequest & { source: SourceType }): Features {
  const { goal, texts, source, checkpoint = () => undefined } = request;
  const table = scanTexts(texts, checkpoint);
  const layout = layoutOf(texts, source);
  checkpoint();
  const terms = readGoal(goal, table);
  const hits = findHits(table, terms);
  const blocks = cutBlocks(layout);
  const match = matchColumns(hits, terms, blocks, layout);
  checkpoint();
  const borrowed = feedback(table, terms, match.bestBlocks, blocks);
  const links = linkSymbols(table, layout, blocks, { line: match.near3, block: match.block });
  checkpoint();
  const logs = logColumns(request);
  const related = readRelated(goal, table, terms);
  const concepts = conceptColumns(findHits(table, related), related, blocks);
  const named = {
    ...match.columns,
    ...feedbackColumns(borrowed, blocks),
    ...shapeColumns(layout, hits),
    ...logs,
    ...concepts,
  };
  const columns = ordered({
    ...named,
    definedByUse: links.defined,
    usesDefined: links.used,
    found: terms.found,
    goalSize: Math.log1p(terms.spoken) / 3,
    textSize: Math.log1p(texts.length) / 8,
  });
  return { columns, peak: match.peak };
}

function ordered(named: Named): Column[] {
  return FEATURES.map((name) => {
    const column = named[name];
    if (column === undefined) throw new TypeError(`feature ${name} is not computed`);
    return column;
  });
}

function feedbackColumns(borrowed: Float32Array, blocks: Blocks): Named {
  const perBlock = new Float32Array(borrowed.length);
  for (let at = 0; at + 1 < blocks.starts.length; at += 1) {
    const first = blocks.starts[at] ?? 0;
    const end = blocks.starts[at + 1] ?? first;
    let sum = 0;
    for (let line = first; line < end; line += 1) sum += borrowed[line] ?? 0;
    perBlock.fill(sum / Math.max(1, end - first), first, end);
  }
  return { feedback: borrowed, feedbackNear: boxMean(borrowed, 5), feedbackBlock: perBlock };
}

/** Words that mean what the goal says, counted once per line and block. */
function conceptColumns(hits: Hits, terms: GoalTerms, blocks: Blocks): Named {
  const score = rangeScorer(hits, terms);
  const count = hits.lengths.length;
  const concept = scoreEach(hits, terms).coverage;
  const conceptBlock = new Float32Array(count);
  for (let at = 0; at < count; at += 1) if ((concept[at] ?? 0) > 1) concept[at] = 1;
  for (let at = 0; at + 1 < blocks.starts.length; at += 1) {
    const first = blocks.starts[at] ?? 0;
    const end = blocks.starts[at + 1] ?? count;
    conceptBlock.fill(Math.min(1.5, score(first, end).coverage), first, end);
  }
  return { concept, conceptNear: boxMean(concept, 4), conceptBlock };
}

function shapeColumns(layout: Layout, hits: Hits): Named {
  const count = layout.flags.length;
  const column = (value: (at: number) => number): Float32Array => {
    const values = new Float32Array(count);
    for (let at = 0; at < count; at += 1) values[at] = value(at);
    return values;
  };
  const flag = (bit: number) => layout.flags.map((flags) => ((flags & bit) === 0 ? 0 : 1));
  return {
    isDefinition: flag(DEFINITION),
    isComment: flag(COMMENT),
    isImport: flag(IMPORT),
    isCloser: flag(CLOSER),
    isBlank: flag(BLANK),
    indent: column((at) => Math.min(1, (layout.indent[at] ?? 0) / 16)),
    length: column((at) => Math.min(2, Math.log1p(hits.lengths[at] ?? 0) / 2)),
    position: column((at) => at / Math.max(1, count - 1)),
    isEdge: layout.flags.map((_, at) => (at < 3 || at >= count - 3 ? 1 : 0)),
  };
}

/** Templates and alarms mean something in logs only; elsewhere they are nothing. */
function logColumns({ texts, source }: JudgeRequest): Named {
  if (source !== 'logs') return { isError: 0, errorNear: 0, repeated: 0, unique: 0 };
  const { earlier, total } = findTemplates(texts);
  const isError = new Float32Array(texts.length);
  for (let at = 0; at < texts.length; at += 1) if (isErrorLine(texts.at(at))) isError[at] = 1;
  return {
    isError,
    errorNear: boxMean(isError, 4),
    repeated: Float32Array.from(earlier, (times) => Math.min(1, Math.log2(1 + times) / 6)),
    unique: Float32Array.from(total, (times) => 1 / Math.max(1, times)),
  };
}
