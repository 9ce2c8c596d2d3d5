import type { Command } from 'commander';
import { type Context, write } from '../context.ts';
import { EXIT, UsageError } from '../failure.ts';
import { parsePositive } from '../input/arguments.ts';
import { progressOn } from '../output/progress.ts';
import { styleFor } from '../output/style.ts';
import { collectFiles, type TextFile } from '../verify/files.ts';
import { Random } from '../verify/random.ts';
import { reportJson, reportText } from '../verify/report.ts';
import { runCases } from '../verify/run.ts';

interface VerifyFlags {
  readonly cases: number;
  readonly seed?: string;
  readonly json?: boolean;
}

const EXAMPLE = `
Example:
  jeeves verify src docs/guide.md --cases 1000

Prunes your own files with goals and options drawn at random, against a store in a temporary
directory, and checks each answer with code that shares nothing with the pruner. Your files are
only read. Exit code 1 means that a promise was broken; the report says how to see it again.`;

/** `jeeves verify`: claims that the user can check beat claims that the user has to believe. */
export function addVerify(program: Command, context: Context): void {
  program
    .command('verify')
    .summary('prove on your own files that nothing is lost or altered')
    .description('Proves on your own files that pruning alters nothing, marks every gap, and gives everything back.')
    .argument('[paths...]', 'files and directories (default: the current directory, without what git ignores)')
    .option('--cases <count>', 'how many combinations of file, goal and options to try', parsePositive, 300)
    .option('--seed <text>', 'repeat an earlier run')
    .option('--json', 'write the tally as JSON')
    .addHelpText('after', EXAMPLE)
    .action(async (paths: readonly string[], flags: VerifyFlags) => runVerify(paths, flags, context));
}

async function runVerify(paths: readonly string[], flags: VerifyFlags, context: Context): Promise<void> {
  const started = context.now();
  const seed = flags.seed ?? Buffer.from(context.randomBytes(4)).toString('hex');
  const named = paths.length === 0 ? ['.'] : paths;
  const collected = await collectFiles(named, context.cwd, new Random(seed));
  const [first, ...others] = collected.files;
  if (first === undefined) throw new UsageError(`${named.join(' ')}: no text files to verify${why(collected.leftOut)}`);
  const files: [TextFile, ...TextFile[]] = [first, ...others];
  const progress = progressOn(context, `of ${flags.cases} cases`);
  const tally = await runCases({ files, seed, cases: flags.cases, onProgress: progress.show }, context);
  progress.clear();
  const report = {
    seed,
    command: ['jeeves verify', ...paths.map(quoted), `--cases ${flags.cases}`, `--seed ${quoted(seed)}`].join(' '),
    collected,
    tally,
    elapsedMs: context.now() - started,
  };
  const style = styleFor(context.stdout, context.config);
  await write(context.stdout, flags.json === true ? reportJson(report) : reportText(report, style));
  if (tally.failures.length > 0) context.setExitCode(EXIT.unproven);
}

function why(leftOut: ReadonlyMap<string, number>): string {
  const reasons = [...leftOut].map(([reason, count]) => `${count} ${reason}`);
  return reasons.length === 0 ? '' : ` (left out: ${reasons.join(', ')})`;
}

/** A word that a shell takes as it is. */
function quoted(word: string): string {
  return /^[\w./@:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
