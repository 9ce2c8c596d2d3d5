import {
  type CaptureRequest,
  newPruneId,
  type PruneDependencies,
  type PruneResult,
  pruneCapture,
} from '@jeeves/engine';
import { type Command, Option } from 'commander';
import { BACKENDS, type BackendName, chooseBackend } from '../backends.ts';
import { type Context, write } from '../context.ts';
import { EXIT, UsageError } from '../failure.ts';
import { parseCount, parseGoal, parseMaxTokens, parsePositive, parseRatio } from '../input/arguments.ts';
import { type Given, readGiven } from '../input/read.ts';
import { writePiped, writeToTerminal } from '../output/pruned.ts';
import { plainOn } from '../output/terminal.ts';
import { writeWarnings } from '../output/warnings.ts';
import { openForPruning } from '../store.ts';
import { exactTokens, tokenCounter } from '../tokens.ts';

interface PruneFlags {
  readonly goal: string;
  readonly source: 'code' | 'logs' | 'docs' | 'auto';
  readonly maxPruneRatio?: number;
  readonly minKeepLines?: number;
  readonly maxTokens?: number;
  readonly backend: BackendName;
  readonly markers?: 'compact' | 'canonical' | false;
  readonly lineNumbers?: boolean;
  readonly timeout?: number;
  readonly json?: boolean;
}

const EXAMPLE = `
Example:
  npm test 2>&1 | jeeves prune --goal "why does the build fail"

Into a pipe or a file goes the pruned text, closed by the command that gives
lines back when something was cut. On a terminal gaps are coloured and a summary
follows. Input that is no text passes through a pipe as it is.`;

/** `jeeves prune`: the text goes to stdout, everything said about it to stderr. */
export function addPrune(program: Command, context: Context): void {
  program
    .command('prune')
    .summary('take away the lines that do not serve a goal')
    .description('Takes away the lines of a text that do not serve a goal, and marks every gap.')
    .argument('[files...]', 'text files, or - for standard input (the default)')
    .requiredOption('-g, --goal <text>', 'what you want to know from the text', parseGoal)
    .addOption(oneOf('--source <type>', 'what the text is', ['code', 'logs', 'docs', 'auto']).default('auto'))
    .option('--max-prune-ratio <ratio>', 'cut at most this share of the lines, 0 to 1', parseRatio)
    .option('--min-keep-lines <count>', 'keep at least so many lines', parseCount)
    .option('--max-tokens <count>', 'the most tokens of each result; wins over the two above', parseMaxTokens)
    .addOption(oneOf('--backend <name>', 'who judges the lines', BACKENDS).default('embedded'))
    .addOption(oneOf('--markers <style>', 'how gaps are marked, compact unless given', ['compact', 'canonical']))
    .option('--no-markers', 'leave no trace of gaps in the text; the prune id goes to stderr')
    .option('--line-numbers', 'put its original number before each kept line')
    .option('--timeout <ms>', 'return the whole text when judging takes longer', parsePositive)
    .option('--json', 'write what the tool prune_text answers, as JSON')
    .addHelpText('after', EXAMPLE)
    .action(async (files: readonly string[], flags: PruneFlags) => runPrune(files, flags, context));
}

async function runPrune(files: readonly string[], flags: PruneFlags, context: Context): Promise<void> {
  if (flags.json === true && flags.markers === 'compact') {
    throw new UsageError('--json always has canonical markers: leave out --markers compact, or --json');
  }
  const backend = await chooseBackend(flags.backend, context);
  const onTerminal = context.stdout.isTTY === true && flags.json !== true;
  const countTokens = await tokenCounter(onTerminal || flags.json === true);
  const store = await openForPruning(context);
  const newId = (): string => newPruneId(context.randomBytes);
  const job: Job = {
    flags,
    onTerminal,
    dependencies: { backend, store, newId, now: context.now, countTokens, exactTokens },
    context,
  };
  try {
    if (files.length <= 1) await pruneOne(await readGiven(files[0], context), job);
    else await pruneAll(files, job);
  } finally {
    await store.close();
  }
}

interface Job {
  readonly flags: PruneFlags;
  readonly onTerminal: boolean;
  readonly dependencies: PruneDependencies;
  readonly context: Context;
}

/** One after the other, each under its name. A file that cannot be read does not keep the others from being pruned. */
async function pruneAll(files: readonly string[], job: Job): Promise<void> {
  const { context, flags } = job;
  for (const [at, file] of files.entries()) {
    try {
      const given = await readGiven(file, context);
      if (flags.json !== true)
        await write(context.stdout, `${at === 0 ? '' : '\n'}==> ${plainOn(context.stdout, file)} <==\n`);
      await pruneOne(given, job);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      await write(context.stderr, `error: ${error.message}\n`);
      context.setExitCode(EXIT.usage);
    }
  }
}

async function pruneOne(given: Given, { flags, onTerminal, dependencies, context }: Job): Promise<void> {
  if ('problem' in given) {
    // A terminal or a JSON string cannot take bytes that are no text; a pipe can, and must not be broken.
    if (onTerminal || flags.json === true) throw new UsageError(`${given.name}: ${given.problem}`);
    return await passOn(given, context);
  }
  const { bytes, text } = given;
  const result = await pruneCapture(toRequest(bytes, flags), dependencies);
  await writeWarnings(result.warnings, context);
  if (flags.json === true) await writeJson(result, context);
  else if (onTerminal) await writeToTerminal(text, result, flags, context);
  else await writePiped(text, result, flags, context);
}

async function passOn({ name, bytes, ...given }: Given, context: Context): Promise<void> {
  const { problem, rest } = given as Extract<Given, { problem: string }>;
  await write(context.stderr, `returned whole: ${name}: ${problem}\n`);
  await write(context.stdout, bytes);
  for await (const chunk of rest ?? []) await write(context.stdout, chunk);
}

/** Options that were not given are left to the engine's defaults. */
function toRequest(raw: Uint8Array, flags: PruneFlags): CaptureRequest {
  const { maxPruneRatio, minKeepLines, maxTokens, timeout, json = false } = flags;
  return {
    raw,
    goal: flags.goal,
    source: flags.source,
    // A budget always holds: what it leaves no room for cannot be kept.
    limits:
      maxTokens === undefined
        ? {
            ...(maxPruneRatio === undefined ? {} : { maxPruneRatio }),
            ...(minKeepLines === undefined ? {} : { minKeepLines }),
            ...(json ? { capTokens: Number.POSITIVE_INFINITY } : {}),
          }
        : { maxTokens },
    markers: json || flags.markers === 'canonical' ? 'canonical' : 'compact',
    includeMarkers: flags.markers !== false,
    annotateLines: flags.lineNumbers ?? false,
    // The tool prune_text obeys ratio, minimum and protection only.
    protectStructure: json,
    ...(json || flags.markers === false ? {} : { aroundTokens: CLOSING_TOKENS }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
  };
}

/** What the closing line takes at most. */
const CLOSING_TOKENS = 40;

async function writeJson(result: PruneResult, context: Context): Promise<void> {
  const { toPruneTextResult } = await import('@jeeves/protocol');
  await write(context.stdout, `${JSON.stringify(toPruneTextResult(result))}\n`);
}

function oneOf(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices);
}
