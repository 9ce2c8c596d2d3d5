import type { TextList } from '../../split.ts';
import type { Backend, Judgement, JudgeRequest, SourceType } from '../backend.ts';
import type { Columns } from './columns.ts';
import { computeFeatures, type Overview } from './features.ts';
import { judgeItems } from './items.ts';
import { asksForTrouble, namesSubject } from './trouble.ts';
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
  const readings = readingsOf(source, goal).map(({ model, share }) => ({ model, share, sums: startOf(model, texts) }));
  const overview = computeFeatures({ ...request, source }, weighInto(readings));
  if (source === 'code') favourChanges(texts, readings[0]?.sums ?? new Float64Array());
  const about = likelihoodAbout(source, goal, texts.length, overview);
  // A reader asks again in other words more often than about something else: doubt counts by half.
  const trust = Math.sqrt(about);
  const scores = new Float64Array(texts.length);
  for (let line = 0; line < scores.length; line += 1) {
    // A line is needed for the one reason or for the other.
    let spare = 1;
    for (const { sums, share } of readings) spare *= 1 - share / (1 + Math.exp(-(sums[line] ?? 0)));
    scores[line] = trust * (1 - spare);
  }
  return { scores, ...(about < FOREIGN && { noMatch: true }) };
}

interface Reading {
  readonly model: Model;
  /** How far it is trusted. */
  readonly share: number;
}

/**
 * A log is asked what went wrong, which it shows without a word of the goal, or for something that it tells, or for both:
 * "why could the application not connect" is about trouble, and about connections.
 */
function readingsOf(source: SourceType, goal: string): Reading[] {
  if (source !== 'logs') return [{ model: MODELS[source], share: 1 }];
  if (!asksForTrouble(goal)) return [{ model: MODELS.records, share: 1 }];
  const whatWentWrong = { model: MODELS.logs, share: 1 };
  return namesSubject(goal) ? [whatWentWrong, { model: MODELS.records, share: 0.3 }] : [whatWentWrong];
}

function startOf({ bias }: Model, { length }: TextList): Float64Array {
  return new Float64Array(length).fill(bias + Math.log(NEEDED_LINES / Math.max(1, length)));
}

/**
 * How likely the text is about the goal at all: has a line, or a block, more of its words than chance alone gives a text
 * of this length? Fitted on goals of other repositories. In a log any telling word will do; and what went wrong it shows
 * without a word of the goal.
 */
function likelihoodAbout(
  source: SourceType,
  goal: string,
  count: number,
  { goal: terms, bestLine, telling }: Overview,
): number {
  if (terms.spoken === 0) return 1;
  if (source === 'logs') return asksForTrouble(goal) || telling > 0 || bestLine > 0.25 ? 1 : 0;
  return (
    1 / (1 + Math.exp(-(10.7 * bestLine + 1.84 * Math.log1p(telling) - 0.52 * Math.log(Math.max(1, count)) - 0.87)))
  );
}

/** Of goals from other repositories two in three stay below, of questions that have an answer one in twenty. */
const FOREIGN = 0.27;

/** Adds each feature up as it comes, so that none has to be kept. */
function weighInto(readings: readonly { readonly model: Model; readonly sums: Float64Array }[]): Columns {
  return {
    wants: (feature) => readings.some(({ model }) => model.weights[feature] !== undefined),
    add: (feature, values, scale = 1, shift = 0) => {
      for (const { model, sums } of readings) {
        const weight = model.weights[feature];
        if (weight === undefined) continue;
        const [factor, base] = [weight * scale, weight * shift];
        for (let line = 0; line < sums.length; line += 1) {
          sums[line] = (sums[line] ?? 0) + factor * (values[line] ?? 0) + base;
        }
      }
    },
    addConstant: (feature, value) => {
      for (const { model, sums } of readings) {
        const by = (model.weights[feature] ?? 0) * value;
        if (by !== 0) for (let line = 0; line < sums.length; line += 1) sums[line] = (sums[line] ?? 0) + by;
      }
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
