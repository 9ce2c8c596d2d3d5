import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { type Backend, detectSource, split } from '@jeeves/engine';
import { reasonOf, UsageError } from '../failure.ts';
import { linesOf } from './lines.ts';
import { Means, measure } from './measure.ts';
import { readRow } from './row.ts';

/** What to score, and whom to tell. */
export interface Scoring {
  readonly casesFile: string;
  readonly outFile: string;
  readonly backend: Backend;
  readonly onProgress: (done: number) => void;
  /** Called with the line number of a row that cannot be used. */
  readonly onMalformed: (line: number, problem: string) => void;
}

/** What came of it. */
export interface Scored {
  readonly rows: number;
  readonly malformed: number;
  /** Means of the rows with gold lines: of all of them, then by kind. */
  readonly means: ReadonlyMap<string, Means>;
}

/** Scores each row's lines, one row at a time. The output appears under its name only when it is complete. */
export async function scoreCases(scoring: Scoring): Promise<Scored> {
  const unfinished = `${scoring.outFile}.part`;
  const out = createWriteStream(unfinished);
  try {
    await once(out, 'open');
    const scored = await scoreRows(scoring, out);
    out.end();
    await once(out, 'close');
    await rename(unfinished, scoring.outFile);
    return scored;
  } catch (error) {
    out.destroy();
    await rm(unfinished, { force: true }).catch(() => {});
    throw error instanceof UsageError || !isSystemError(error)
      ? error
      : new UsageError(`--out ${scoring.outFile}: cannot be written: ${reasonOf(error)}`);
  }
}

async function scoreRows({ casesFile, backend, onProgress, onMalformed }: Scoring, out: WriteStream): Promise<Scored> {
  const means = new Map<string, Means>();
  let line = 0;
  let rows = 0;
  let malformed = 0;
  for await (const bytes of linesOf(casesFile)) {
    line += 1;
    if (isBlank(bytes)) continue;
    const row = readRow(bytes);
    if (typeof row === 'string') {
      malformed += 1;
      onMalformed(line, row);
      continue;
    }
    const lines = split(row.text);
    const source = row.source ?? detectSource(lines);
    const { scores } = await backend.judge({ goal: row.goal, texts: lines, source });
    const measured = row.gold === undefined ? undefined : measure(scores, new Set(row.gold));
    if (measured !== undefined) for (const name of ['all', source]) meansOf(means, name).add(measured);
    if (!out.write(`${JSON.stringify({ id: row.id, scores: Array.from(scores) })}\n`)) await once(out, 'drain');
    rows += 1;
    onProgress(rows);
  }
  return { rows, malformed, means };
}

function meansOf(means: Map<string, Means>, name: string): Means {
  const known = means.get(name) ?? new Means();
  means.set(name, known);
  return known;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.length === 0 || (bytes.length === 1 && bytes[0] === 13);
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
