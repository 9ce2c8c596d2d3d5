import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Comparison } from '@jeeves/runner';
import { type Command, Option } from 'commander';
import { type Context, write } from '../context.ts';
import { UsageError } from '../failure.ts';
import { parsePositive } from '../input/arguments.ts';
import { progressOn } from '../output/progress.ts';
import { listenForInterrupt } from '../run/interrupt.ts';
import { openMeasures } from '../run/measures.ts';
import { type Prices, parsePrices } from '../run/prices.ts';
import { runnerSettings } from '../run/settings.ts';
import { isSystemError } from '../run/systemError.ts';

interface CompareFlags {
  readonly task: string;
  readonly runs: number;
  readonly provider: string;
  readonly model?: string;
  readonly out?: string;
  readonly prices?: Prices;
  readonly json?: boolean;
}

const EXAMPLE = `
Example:
  jeeves compare --task fix-test.yaml --runs 10 --provider claude

A task is a YAML file: "prompt" and, if wanted, "directory" (copied afresh for every run), "setup" and
"check" (commands; check says by exit code 0 that the task was done), "model", "max_turns", "timeout"
(seconds) and "script" (what the fake provider does).
The report shows tokens, cost, turns and success with and without pruning, and how sure the difference is.`;

/** `jeeves compare`: whether pruning pays, on the user's own task. */
export function addCompare(program: Command, context: Context): void {
  program
    .command('compare')
    .summary('run a task with and without pruning and compare')
    .description('Runs the same task with and without pruning, in pairs, and compares what it took.')
    .requiredOption('--task <file>', 'the task')
    .option('--runs <count>', 'how many pairs of runs', parsePositive, 5)
    .addOption(new Option('--provider <name>', 'who runs').choices(['claude', 'codex', 'fake']).default('fake'))
    .option('--model <name>', 'the model, as the provider names it')
    .option('--out <directory>', 'where report.md, report.json and the records go')
    .option('--prices <list>', 'USD per million tokens: input,output,cache write,cache read', parsePrices)
    .option('--json', 'write the report as JSON')
    .addHelpText('after', EXAMPLE)
    .action(async (flags: CompareFlags) => runCompare(flags, context));
}

async function runCompare(flags: CompareFlags, context: Context): Promise<void> {
  const runner = await import('@jeeves/runner');
  const { now, randomBytes } = context;
  const config = await runnerSettings(context);
  const interrupt = listenForInterrupt();
  const measures = openMeasures(context);
  const progress = progressOn(context, `of ${2 * flags.runs} runs`);
  try {
    const task = runner.readTask(resolve(context.cwd, flags.task));
    const name = `compare-${runner.newRunId({ now: now(), pid: process.pid, randomBytes })}`;
    const directory = resolve(context.cwd, flags.out ?? join(config.runsDirectory, name));
    const comparison = await runner.compare({
      task,
      runs: flags.runs,
      loadProvider: () => runner.loadProvider(flags.provider, { script: task.script }),
      config,
      directory,
      model: flags.model,
      prices: flags.prices,
      loadCounter: measures.loadCounter,
      rawText: measures.rawText,
      abort: interrupt.signal,
      onRun: progress.show,
      now,
      randomBytes,
    });
    progress.clear();
    await report(comparison, runner.compareMarkdown(comparison), { directory, json: flags.json === true, context });
  } catch (error) {
    progress.clear();
    if (!interrupt.signal.aborted) {
      throw error instanceof runner.RunnerError || isSystemError(error) ? new UsageError(error.message) : error;
    }
    await write(context.stderr, 'cancelled: there is no report\n');
    context.setExitCode(130);
  } finally {
    interrupt.clear();
    await measures.close();
  }
}

interface Where {
  readonly directory: string;
  readonly json: boolean;
  readonly context: Context;
}

async function report(comparison: Comparison, markdown: string, { directory, json, context }: Where): Promise<void> {
  const { makeDirectory } = await import('@jeeves/runner');
  makeDirectory(directory);
  const document = `${JSON.stringify(comparison, null, 2)}\n`;
  writeFileSync(join(directory, 'report.json'), document);
  writeFileSync(join(directory, 'report.md'), markdown);
  await write(context.stdout, json ? document : markdown);
  await write(context.stderr, `recorded in ${directory}\n`);
}
