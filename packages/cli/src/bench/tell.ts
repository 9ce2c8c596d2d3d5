import { type Context, write } from '../context.ts';
import { EXIT } from '../failure.ts';
import { counted } from '../output/numbers.ts';
import { progressOn } from '../output/progress.ts';
import type { RowsDone, RowsJob } from './rows.ts';

/** Malformed rows beyond these are only counted. */
const MAX_NAMED = 20;

/** What is said about work over the rows of a file. */
export interface Told<T> {
  readonly casesFile: string;
  readonly outFile: string;
  /** `scored`, as in `12 rows scored`. */
  readonly verb: string;
  /** What was worked on, when it is more than a number of rows. */
  readonly what?: (done: T) => string;
}

/** Does the work and says on stderr how far it is, which rows are malformed, and how long it took. */
export async function tellRows<T extends RowsDone>(
  context: Context,
  { casesFile, outFile, verb, what = ({ rows }) => counted(rows, 'row') }: Told<T>,
  work: (tell: Pick<RowsJob, 'onProgress' | 'onMalformed'>) => Promise<T>,
): Promise<T & { readonly seconds: number }> {
  const progress = progressOn(context, `rows ${verb}`);
  const started = context.now();
  let named = 0;
  const done = await work({
    onProgress: progress.show,
    onMalformed(line, problem) {
      progress.clear();
      if (named++ < MAX_NAMED) void context.stderr.write(`error: ${casesFile}:${line}: ${problem}\n`, () => {});
    },
  });
  progress.clear();
  const seconds = (context.now() - started) / 1000;
  await write(context.stderr, `${what(done)} ${verb} in ${seconds.toFixed(1)} s → ${outFile}\n`);
  if (done.malformed > 0) {
    const left = `${counted(done.malformed, 'malformed row')} left out; mend them and run again`;
    await write(context.stderr, `error: ${left}\n`);
    context.setExitCode(EXIT.usage);
  }
  return { ...done, seconds };
}
