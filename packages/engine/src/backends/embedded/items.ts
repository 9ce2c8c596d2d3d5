import { scanTexts } from '../../terms/terms.ts';
import type { JudgeRequest } from '../backend.ts';
import { scoreEach } from './bm25.ts';
import { readGoal } from './goal.ts';
import { findHits } from './hits.ts';

/** Texts that are not neighbours: each stands for itself, so only its own words count. */
export function judgeItems({ goal, texts, checkpoint }: JudgeRequest): Float64Array {
  const table = scanTexts(texts, checkpoint);
  const terms = readGoal(goal, table);
  const { match, coverage } = scoreEach(findHits(table, terms), terms, {
    match: new Float32Array(texts.length),
    coverage: new Float32Array(texts.length),
  });
  const scores = new Float64Array(texts.length);
  for (let at = 0; at < texts.length; at += 1) scores[at] = (Math.min(1, match[at] ?? 0) + (coverage[at] ?? 0)) / 2;
  return scores;
}
