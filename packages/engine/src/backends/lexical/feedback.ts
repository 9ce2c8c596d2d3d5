import type { Blocks } from '../../layout/blocks.ts';
import type { TermTable } from '../../terms/terms.ts';
import type { Values } from './columns.ts';
import type { GoalTerms } from './goal.ts';

const BEST_BLOCKS = 2;
const TERMS = 24;
/** A term on more than this share of the lines tells nothing about any of them. */
const COMMON = 0.1;

interface ReadText {
  readonly table: TermTable;
  readonly goal: GoalTerms;
  readonly blocks: Blocks;
}

/**
 * How much each line speaks the language of the blocks that match best. Many lines that answer a goal share no word
 * with it, but they share words with the lines around the answer.
 */
export function feedback(text: ReadText, best: readonly number[], scores: Values): Values {
  const { table } = text;
  const lines = scores.length;
  const weights = borrowedTerms(text, best.slice(0, BEST_BLOCKS));
  scores.fill(0);
  if (weights === undefined) return scores;
  const seenIn = new Int32Array(table.vocabulary.size).fill(-1);
  for (let line = 0; line < lines; line += 1) {
    let sum = 0;
    for (let at = table.starts[line] ?? 0; at < (table.starts[line + 1] ?? 0); at += 1) {
      const id = table.ids[at] ?? 0;
      const weight = weights[id] ?? 0;
      if (weight === 0 || seenIn[id] === line) continue;
      seenIn[id] = line;
      sum += weight;
    }
    scores[line] = sum;
  }
  return scores;
}

/** Weights, summing to one, of the terms that are frequent in the best blocks and rare elsewhere. */
function borrowedTerms({ table, goal, blocks }: ReadText, best: readonly number[]): Float32Array | undefined {
  const lines = table.starts.length - 1;
  const counts = new Map<number, number>();
  for (const block of best) {
    const from = table.starts[blocks.starts[block] ?? 0] ?? 0;
    const to = table.starts[blocks.starts[block + 1] ?? 0] ?? 0;
    for (let at = from; at < to; at += 1) {
      const id = table.ids[at] ?? 0;
      if (goal.placeOf[id] === -1) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  const ranked: { id: number; weight: number }[] = [];
  for (const [id, count] of counts) {
    const frequency = table.frequency[id] ?? 0;
    if (frequency < 2 || frequency > Math.max(6, lines * COMMON)) continue;
    ranked.push({ id, weight: Math.min(4, count) * Math.log(1 + lines / frequency) });
  }
  if (ranked.length === 0) return undefined;
  ranked.sort((a, b) => b.weight - a.weight || a.id - b.id);
  const chosen = ranked.slice(0, TERMS);
  const total = chosen.reduce((sum, term) => sum + term.weight, 0);
  const weights = new Float32Array(table.vocabulary.size);
  for (const { id, weight } of chosen) weights[id] = weight / total;
  return weights;
}
