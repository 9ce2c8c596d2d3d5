import type { TextList } from '../../split.ts';
import type { Backend, Judgement, JudgeRequest, SourceType } from '../backend.ts';
import type { Columns } from './columns.ts';
import { computeFeatures } from './features.ts';
import { judgeItems } from './items.ts';
import { WEIGHTS } from './weights.ts';

/** The embedded backend: word and structure features of each line, added up with fixed weights. No network, no model file. */
export function createLexicalBackend(): Backend {
  // A throw inside must come out as a rejection, like any other backend's failure.
  return { name: 'lexical', judge: async (request) => judgeTexts(request) };
}

function judgeTexts(request: JudgeRequest): Judgement {
  const { source, texts } = request;
  if (source === 'items') return { scores: judgeItems(request) };
  const { bias, weights } = WEIGHTS[source];
  const sums = new Float64Array(texts.length).fill(bias);
  const peak = computeFeatures({ ...request, source }, weighInto(sums, weights));
  raise(sums, -doubt(source, peak));
  if (source === 'code') favourChanges(texts, sums);
  for (let line = 0; line < sums.length; line += 1) sums[line] = 1 / (1 + Math.exp(-(sums[line] ?? 0)));
  return { scores: sums };
}

/**
 * The best line of a text is not a good one when even the best block has hardly a word of the goal: the goal is about
 * something else. Logs are exempt: "why does it fail" seldom shares a word with the failure.
 */
function doubt(source: SourceType, peak: number): number {
  if (source === 'logs') return 0;
  const { certain, lost, most } = DOUBT;
  return most * Math.min(1, Math.max(0, (certain - peak) / (certain - lost)));
}

const DOUBT = { certain: 0.3, lost: 0.08, most: 1.6 } as const;

/** Adds each feature up as it comes, so that none has to be kept. */
function weighInto(sums: Float64Array, weights: Readonly<Record<string, number>>): Columns {
  return {
    add: (feature, values, scale = 1) => {
      const weight = (weights[feature] ?? 0) * scale;
      if (weight === 0) return;
      for (let line = 0; line < sums.length; line += 1) sums[line] = (sums[line] ?? 0) + weight * (values[line] ?? 0);
    },
    addConstant: (feature, value) => raise(sums, (weights[feature] ?? 0) * value),
  };
}

function raise(sums: Float64Array, by: number): void {
  if (by === 0) return;
  for (let line = 0; line < sums.length; line += 1) sums[line] = (sums[line] ?? 0) + by;
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
