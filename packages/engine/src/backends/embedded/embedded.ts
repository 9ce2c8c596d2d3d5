import type { TextList } from '../../split.ts';
import type { Backend, Judgement, JudgeRequest, SourceType } from '../backend.ts';
import type { Columns } from './columns.ts';
import { computeFeatures, type Overview } from './features.ts';
import { judgeItems } from './items.ts';
import { asksForTrouble } from './trouble.ts';
import { MODELS, type Model } from './weights.ts';

/** The embedded backend: what is known of each line, added up with learned weights. No network, no model file. */
export function createEmbeddedBackend(): Backend {
  // A throw inside must come out as a rejection, like any other backend's failure.
  return { name: 'embedded', judge: async (request) => judgeTexts(request) };
}

/** A text has about as many lines that serve a goal whether it is long or short. */
const NEEDED_LINES = 24;

function judgeTexts(request: JudgeRequest): Judgement {
  const { source, texts, goal } = request;
  if (source === 'items') return { scores: judgeItems(request) };
  const model = modelFor(source, goal);
  const start = model.bias + Math.log(NEEDED_LINES / Math.max(1, texts.length));
  const sums = new Float64Array(texts.length).fill(start);
  const overview = computeFeatures({ ...request, source }, weighInto(sums, model.weights));
  if (source === 'code') favourChanges(texts, sums);
  const about = likelihoodAbout(source, goal, texts.length, overview);
  for (let line = 0; line < sums.length; line += 1) sums[line] = about / (1 + Math.exp(-(sums[line] ?? 0)));
  return { scores: sums, ...(about < FOREIGN && { noMatch: true }) };
}

/** A log is asked either what went wrong, which it shows without a word of the goal, or for something that it tells. */
export function modelFor(source: SourceType, goal: string): Model {
  return source === 'logs' && !asksForTrouble(goal) ? MODELS.records : MODELS[source];
}

/**
 * How likely the text is about the goal at all: has a line, or a block, more of its words than chance alone gives a text
 * of this length? Fitted on goals of other repositories. What went wrong, a log shows without a word of the goal.
 */
function likelihoodAbout(source: SourceType, goal: string, count: number, { goal: terms, bestLine, telling }: Overview): number {
  if (terms.spoken === 0 || (source === 'logs' && asksForTrouble(goal))) return 1;
  return 1 / (1 + Math.exp(-(10.7 * bestLine + 1.7 * Math.log1p(telling) - 0.63 * Math.log(Math.max(1, count)) - 0.1)));
}

/** Of goals from other repositories four in five stay below, of questions that have an answer one in ten. */
const FOREIGN = 0.38;

/** Adds each feature up as it comes, so that none has to be kept. */
function weighInto(sums: Float64Array, weights: Readonly<Record<string, number>>): Columns {
  return {
    wants: (feature) => weights[feature] !== undefined,
    add: (feature, values, scale = 1, shift = 0) => {
      const weight = weights[feature];
      if (weight === undefined) return;
      const [factor, base] = [weight * scale, weight * shift];
      for (let line = 0; line < sums.length; line += 1) {
        sums[line] = (sums[line] ?? 0) + factor * (values[line] ?? 0) + base;
      }
    },
    addConstant: (feature, value) => {
      const by = (weights[feature] ?? 0) * value;
      if (by !== 0) for (let line = 0; line < sums.length; line += 1) sums[line] = (sums[line] ?? 0) + by;
    },
  };
}

/** In a diff the question is what changed; the lines around a change are there only to find it. */
function favourChanges(texts: TextList, sums: Float64Array): void {
  let inHunk = false;
  for (let at = 0; at < texts.length; at += 1) {
    const line = texts.at(at);
    if (line.startsWith('@@ -')) inHunk = true;
    else if (line.startsWith('diff --git ')) inHunk = false;
    else if (inHunk && (line.startsWith('+') || line.startsWith('-'))) sums[at] = (sums[at] ?? 0) + CHANGED;
  }
}

const CHANGED = 0.7;
