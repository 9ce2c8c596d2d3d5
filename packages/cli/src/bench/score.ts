import { type Backend, detectSource, split } from '@jeeves/engine';
import { Means, measure } from './measure.ts';
import { answerRows, type RowsDone, type RowsJob } from './rows.ts';

/** The cases to score, and the backend that judges them. */
export interface Scoring extends RowsJob {
  readonly backend: Backend;
}

/** What came of it. */
export interface Scored extends RowsDone {
  /** Means of the rows with gold lines: of all of them, then by kind. */
  readonly means: ReadonlyMap<string, Means>;
}

/** Scores the lines of each row. */
export async function scoreCases(scoring: Scoring): Promise<Scored> {
  const means = new Map<string, Means>();
  const done = await answerRows(scoring, async ({ id, goal, text, gold, source: given }) => {
    const lines = split(text);
    const source = given ?? detectSource(lines);
    const { scores } = await scoring.backend.judge({ goal, texts: lines, source });
    const measured = gold === undefined ? undefined : measure(scores, new Set(gold));
    if (measured !== undefined) for (const name of ['all', source]) meansOf(means, name).add(measured);
    return { id, scores: Array.from(scores) };
  });
  return { ...done, means };
}

function meansOf(means: Map<string, Means>, name: string): Means {
  const known = means.get(name) ?? new Means();
  means.set(name, known);
  return known;
}
