import { newPruneId, type PruneRequest, type PruneResult, prune } from '@jeeves/engine';
import { type Command, Option } from 'commander';
import { BACKENDS, type BackendName, chooseBackend } from '../backends.ts';
import { type Context, write } from '../context.ts';
import { UsageError } from '../failure.ts';
import { parseCount, parseGoal, parsePositive, parseRatio } from '../input/arguments.ts';
import { readText } from '../input/read.ts';
import { writePiped, writeToTerminal } from '../output/pruned.ts';
import { writeWarnings } from '../output/warnings.ts';
import { openForPruning } from '../store.ts';
import { tokenCounter } from '../tokens.ts';

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

Into a pipe or a file goes the pruned text, closed by a line with the prune id
when something was cut. On a terminal gaps are coloured and a summary follows.`;

/** `jeeves prune`: the text goes to stdout, everything said about it to stderr. */
export function addPrune(program: Command, context: Context): void {
  program
    .command('prune')
    .summary('take away the lines that do not serve a goal')
    .description('Takes away the lines of a text that do not serve a goal, and marks every gap.')
    .argument('[file]', 'a text file, or - for standard input (the default)')
    .requiredOption('-g, --goal <text>', 'what you want to know from the text', parseGoal)
    .addOption(oneOf('--source <type>', 'what the text is', ['code', 'logs', 'docs', 'auto']).default('auto'))
    .option('--max-prune-ratio <ratio>', 'cut at most this share of the lines, 0 to 1 (default: 0.9)', parseRatio)
    .option('--min-keep-lines <count>', 'keep at least so many lines (default: 5)', parseCount)
    .option('--max-tokens <count>', 'cut further until the result fits, within the two limits above', parsePositive)
    .addOption(oneOf('--backend <name>', 'who judges the lines', BACKENDS).default('lexical'))
    .addOption(oneOf('--markers <style>', 'how gaps are marked, compact unless given', ['compact', 'canonical']))
    .option('--no-markers', 'leave no trace of gaps in the text; the prune id goes to stderr')
    .option('--line-numbers', 'put its original number before each kept line')
    .option('--timeout <ms>', 'return the whole text when judging takes longer', parsePositive)
    .option('--json', 'write what the tool prune_text answers, as JSON')
    .addHelpText('after', EXAMPLE)
    .action(async (file: string | undefined, flags: PruneFlags) => runPrune(file, flags, context));
}

async function runPrune(file: string | undefined, flags: PruneFlags, context: Context): Promise<void> {
  if (flags.json === true && flags.markers === 'compact') {
    throw new UsageError('--json always has canonical markers: leave out --markers compact, or --json');
  }
  const backend = await chooseBackend(flags.backend, context);
  const text = await readText(file, context);
  const onTerminal = context.stdout.isTTY === true && flags.json !== true;
  const store = await openForPruning(context);
  let result: PruneResult;
  try {
    result = await prune(toRequest(text, flags), {
      backend,
      store,
      newId: () => newPruneId(context.randomBytes),
      now: context.now,
      countTokens: await tokenCounter(onTerminal || flags.json === true),
    });
  } finally {
    await store.close();
  }
  await writeWarnings(result.warnings, context);
  if (flags.json === true) await writeJson(result, context);
  else if (onTerminal) await writeToTerminal(text, result, flags, context);
  else await writePiped(text, result, flags, context);
}

/** Options that were not given are left to the engine's defaults. */
function toRequest(text: string, flags: PruneFlags): PruneRequest {
  const { maxPruneRatio, minKeepLines, maxTokens, timeout, json = false } = flags;
  return {
    text,
    goal: flags.goal,
    source: flags.source,
    limits: {
      ...(maxPruneRatio === undefined ? {} : { maxPruneRatio }),
      ...(minKeepLines === undefined ? {} : { minKeepLines }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(json ? { capTokens: Number.POSITIVE_INFINITY } : {}),
    },
    markers: json || flags.markers === 'canonical' ? 'canonical' : 'compact',
    includeMarkers: flags.markers !== false,
    annotateLines: flags.lineNumbers ?? false,
    // The tool prune_text obeys ratio, minimum and protection only.
    protectStructure: json,
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
  };
}

async function writeJson(result: PruneResult, context: Context): Promise<void> {
  const { toPruneTextResult } = await import('@jeeves/protocol');
  await write(context.stdout, `${JSON.stringify(toPruneTextResult(result))}\n`);
}

function oneOf(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices);
}
