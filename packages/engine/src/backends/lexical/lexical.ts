import type { TextList } from '../../split.ts';
import type { Backend, Judgement, JudgeRequest, SourceType } from '../backend.ts';
import { computeFeatures, FEATURES } from './features.ts';
import { judgeItems } from './items.ts';
import type { Column } from './match.ts';
import { WEIGHTS } from './weights.ts';

/** The embedded backend: word and structure features of each line, added up with fixed weights. No network, no model file. */
export function createLexicalBackend(): Backend {
  // A throw inside must come out as a rejection, like any other backend's failure.
  return { name: 'lexical', judge: async (request) => judgeTexts(request) };
}

function judgeTexts(request: JudgeRequest): Judgement {
  const { source } = request;
  if (source === 'items') return { scores: judgeItems(request) };
  const { columns, peak } = computeFeatures({ ...request, source });
  const sums = weigh(columns, source, request.texts.length, doubt(source, peak));
  if (source === 'code') favourChanges(request.texts, sums);
  return { scores: sums.map((sum) => 1 / (1 + Math.exp(-sum))) };
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

function weigh(columns: readonly Column[], source: SourceType, count: number, doubts: number): Float64Array {
  const { bias, weights } = WEIGHTS[source];
  const sums = new Float64Array(count).fill(bias - doubts);
  for (const [at, name] of FEATURES.entries()) {
    const weight = weights[name] ?? 0;
    const column = columns[at];
    if (weight === 0 || column === undefined) continue;
    if (typeof column === 'number') addConstant(sums, weight * column);
    else if ('scale' in column) add(sums, weight * column.scale, column.values);
    else add(sums, weight, column);
  }
  return sums;
}

function add(sums: Float64Array, weight: number, column: Float32Array | Uint8Array): void {
  for (let line = 0; line < sums.length; line += 1) sums[line] = (sums[line] ?? 0) + weight * (column[line] ?? 0);
}

function addConstant(sums: Float64Array, constant: number): void {
  for (let line = 0; line < sums.length; line += 1) sums[line] = (sums[line] ?? 0) + constant;
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
