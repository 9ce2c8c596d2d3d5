import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { reasonOf, UsageError } from '../failure.ts';
import { linesOf } from './lines.ts';
import { type BenchRow, readRow } from './row.ts';

/** A file of cases, the file of answers it becomes, and how progress is told. */
export interface RowsJob {
  readonly casesFile: string;
  readonly outFile: string;
  readonly onProgress: (done: number) => void;
  /** Called with the line number of a row that cannot be used. */
  readonly onMalformed: (line: number, problem: string) => void;
}

/** How many rows were answered, and how many could not be read. */
export interface RowsDone {
  readonly rows: number;
  readonly malformed: number;
}

/** Writes one answer per row, one row at a time. The output appears under its name only when it is complete. */
export async function answerRows(job: RowsJob, answer: (row: BenchRow) => Promise<object>): Promise<RowsDone> {
  const unfinished = `${job.outFile}.part`;
  const out = createWriteStream(unfinished);
  try {
    await once(out, 'open');
    const done = await answerEach(job, answer, out);
    out.end();
    await once(out, 'close');
    await rename(unfinished, job.outFile);
    return done;
  } catch (error) {
    out.destroy();
    await rm(unfinished, { force: true }).catch(() => {});
    throw error instanceof UsageError || !isSystemError(error)
      ? error
      : new UsageError(`--out ${job.outFile}: cannot be written: ${reasonOf(error)}`);
  }
}

async function answerEach(
  { casesFile, onProgress, onMalformed }: RowsJob,
  answer: (row: BenchRow) => Promise<object>,
  out: WriteStream,
): Promise<RowsDone> {
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
    if (!out.write(`${JSON.stringify(await answer(row))}\n`)) await once(out, 'drain');
    rows += 1;
    onProgress(rows);
  }
  return { rows, malformed };
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.length === 0 || (bytes.length === 1 && bytes[0] === 13);
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
