import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Ledger, RunFile, RunStatus, SdkStats } from '@jeeves/protocol';
import type {
  AgentProvider,
  FakeScript,
  parseScript,
  parseWorkflow,
  RunnerError,
  RunOptions,
  RunOutcome,
  Workflow,
  WorkflowOutcome,
} from '@jeeves/runner';
import { type Command, Option } from 'commander';
import { type Context, write } from '../context.ts';
import { EXIT, reasonOf, UsageError } from '../failure.ts';
import { parsePositive } from '../input/arguments.ts';
import { plainOn } from '../output/terminal.ts';
import { type Interrupt, listenForInterrupt } from '../run/interrupt.ts';
import { type Measures, openMeasures } from '../run/measures.ts';
import { type Prices, parsePrices } from '../run/prices.ts';
import { runnerSettings } from '../run/settings.ts';
import { ledgerText, showNews } from '../run/show.ts';
import { isSystemError } from '../run/systemError.ts';

interface RunFlags {
  readonly provider?: string;
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly workflow?: string;
  readonly script?: string;
  readonly cwd?: string;
  readonly runDir?: string;
  readonly model?: string;
  readonly maxTurns?: number;
  readonly timeout?: number;
  readonly prices?: Prices;
  readonly prune: boolean;
  readonly json?: boolean;
}

const EXAMPLE = `
Examples:
  jeeves run --provider claude --prompt "why does npm test fail? fix it"
  jeeves run --provider codex --prompt-file task.md --cwd ../shop --timeout 600
  jeeves run --provider fake --prompt hello          needs no key

The agent gets read, bash and grep with pruning, and recover_text. Everything it did is recorded:
run.json, events.jsonl, last-run.log, sdk-output.json and the raw output of every tool.

Exit codes: 0 the agent finished, 1 it failed, 2 the call is wrong, 124 out of time, 130 interrupted.`;

/** Of a run, by how it ended. Those that say why it was stopped are the shell's own. */
const RUN_EXIT: Readonly<Record<Exclude<RunStatus, 'running'>, number>> = {
  succeeded: EXIT.success,
  failed: 1,
  timed_out: 124,
  cancelled: 130,
};

/** `jeeves run`: a real agent with Jeeves wired in. */
export function addRun(program: Command, context: Context): void {
  program
    .command('run')
    .summary('run a coding agent with pruning wired in')
    .description('Runs a coding agent with pruning wired in, records everything, and counts what that saved.')
    .addOption(new Option('--provider <name>', 'who runs').choices(['claude', 'codex', 'fake']))
    .option('--prompt <text>', 'what the agent is to do')
    .option('--prompt-file <file>', 'the same, from a file')
    .option('--workflow <file>', 'several prompts and which follows which, from a YAML file')
    .option('--cwd <directory>', 'where the agent works (default: here)')
    .option('--run-dir <directory>', 'where the record goes (default: one of its own under ~/.local/state/jeeves/runs)')
    .option('--model <name>', 'the model, as the provider names it')
    .option('--max-turns <count>', 'stop the agent after so many turns', parsePositive)
    .option('--timeout <seconds>', 'stop the agent after so long', parsePositive)
    .option('--prices <list>', 'USD per million tokens: input,output,cache write,cache read', parsePrices)
    .option('--script <file>', 'what the fake provider does, from a YAML file')
    .option('--no-prune', 'give the agent no pruner')
    .option('--json', 'write how it went as JSON')
    .addHelpText('after', EXAMPLE)
    .action(async (flags: RunFlags) => runRun(flags, context));
}

async function runRun(flags: RunFlags, context: Context): Promise<void> {
  const runner = await import('@jeeves/runner');
  const { resultFacts } = await import('@jeeves/protocol');
  const work = readWork(flags, context, runner);
  const read = await runnerSettings(context);
  const config = flags.prune ? runner.withPruning(read) : runner.withoutPruning(read);
  const runId = runner.newRunId({ now: context.now(), pid: process.pid, randomBytes: context.randomBytes });
  const interrupt = listenForInterrupt();
  const measures = openMeasures(context);
  const options: Omit<RunOptions, 'provider' | 'prompt'> = {
    runId,
    cwd: workingDirectory(flags.cwd, context),
    directory: recordDirectory(flags.runDir, context) ?? runner.runDirectory(config, runId),
    config,
    ...shared(flags, context, { interrupt, measures }),
    onNews: flags.json === true ? undefined : showNews(context, resultFacts),
  };
  const load = (name: string): Promise<AgentProvider> => runner.loadProvider(name, { script: work.script });
  try {
    const { provider } = work;
    const outcome =
      work.kind === 'prompt'
        ? fromRun(await runner.runAgent({ ...options, provider: await load(provider), prompt: work.prompt }))
        : fromWorkflow(await runner.runWorkflow({ ...options, ...work, loadProvider: load }));
    await report(outcome, flags, context);
  } catch (error) {
    throw error instanceof runner.RunnerError || isSystemError(error) ? new UsageError(error.message) : error;
  } finally {
    interrupt.clear();
    await measures.close();
  }
}

type Work =
  | { readonly kind: 'prompt'; readonly provider: string; readonly prompt: string; readonly script: Script }
  | {
      readonly kind: 'workflow';
      readonly provider: string;
      readonly workflow: Workflow;
      readonly file: string;
      readonly script: Script;
    };
type Script = FakeScript | undefined;

/** What is needed of the package before a run: it is loaded when the command runs. */
interface Runner {
  readonly parseScript: typeof parseScript;
  readonly parseWorkflow: typeof parseWorkflow;
  readonly RunnerError: typeof RunnerError;
}

/** What there is to do. All of it is checked before anything starts. */
function readWork(flags: RunFlags, context: Context, runner: Runner): Work {
  const given = [flags.prompt, flags.promptFile, flags.workflow].filter((flag) => flag !== undefined);
  if (given.length !== 1) {
    const problem = given.length === 0 ? 'say what to do' : 'these exclude each other';
    throw new UsageError(`${problem}: one of --prompt "…", --prompt-file FILE or --workflow FILE`);
  }
  if (flags.script !== undefined && flags.provider !== undefined && flags.provider !== 'fake') {
    throw new UsageError('--script is for the fake provider: a real agent decides for itself');
  }
  try {
    const script = flags.script === undefined ? undefined : runner.parseScript(readGiven(flags.script, context));
    if (flags.workflow === undefined) {
      const provider = flags.provider ?? missingProvider();
      return { kind: 'prompt', provider, prompt: promptOf(flags, context), script };
    }
    const workflow = runner.parseWorkflow(readGiven(flags.workflow, context));
    const provider = flags.provider ?? workflow.provider ?? missingProvider();
    return { kind: 'workflow', provider, workflow, file: resolve(context.cwd, flags.workflow), script };
  } catch (error) {
    throw error instanceof runner.RunnerError ? new UsageError(error.message) : error;
  }
}

function missingProvider(): never {
  throw new UsageError('say who runs: --provider claude, codex or fake');
}

function promptOf(flags: RunFlags, context: Context): string {
  const prompt = flags.prompt ?? readGiven(flags.promptFile ?? '', context);
  if (prompt.trim() === '') throw new UsageError('the prompt is empty');
  return prompt;
}

function readGiven(file: string, { cwd }: Context): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: cannot be read: ${reasonOf(error)}`);
  }
}

function workingDirectory(given: string | undefined, { cwd }: Context): string {
  const path = resolve(cwd, given ?? '.');
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw new UsageError(`--cwd ${given ?? '.'}: no such directory`);
}

function recordDirectory(given: string | undefined, { cwd }: Context): string | undefined {
  if (given === undefined) return undefined;
  const path = resolve(cwd, given);
  if (existsSync(join(path, 'run.json'))) {
    throw new UsageError(`--run-dir ${given}: it holds the record of another run; name a new directory`);
  }
  return path;
}

function shared(
  flags: RunFlags,
  context: Context,
  { interrupt, measures }: { readonly interrupt: Interrupt; readonly measures: Measures },
): Partial<RunOptions> {
  return {
    model: flags.model,
    maxTurns: flags.maxTurns,
    timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
    abort: interrupt.signal,
    prices: flags.prices,
    loadCounter: measures.loadCounter,
    rawText: measures.rawText,
    now: context.now,
  };
}

interface Outcome {
  readonly status: Exclude<RunStatus, 'running'>;
  readonly directory: string;
  readonly run: RunFile;
  readonly result?: string | undefined;
  readonly stats?: SdkStats | undefined;
  readonly ledgers: readonly Ledger[];
  readonly recordProblem?: string | undefined;
}

function fromRun({ output, ledger, ...outcome }: RunOutcome): Outcome {
  return { ...outcome, stats: output.stats, ledgers: [ledger] };
}

function fromWorkflow({ status, directory, run, outcomes }: WorkflowOutcome): Outcome {
  const ledgers = outcomes.map(({ ledger }) => ledger);
  const recordProblem = outcomes.find((outcome) => outcome.recordProblem !== undefined)?.recordProblem;
  return { status, directory, run, result: outcomes.at(-1)?.result, ledgers, recordProblem };
}

async function report(outcome: Outcome, flags: RunFlags, context: Context): Promise<void> {
  const { status, directory, run, result, stats, ledgers } = outcome;
  // A client that is not installed is the caller's to install.
  const ran = run.error_type !== 'sdk_missing';
  if (outcome.recordProblem !== undefined) {
    await write(context.stderr, `warning: the record is not complete: ${outcome.recordProblem}\n`);
  }
  if (flags.json === true) {
    const shown = { ...run, run_dir: directory, result: result ?? null, ...(stats !== undefined && { stats }) };
    await write(context.stdout, `${JSON.stringify(shown)}\n`);
  } else {
    if (result !== undefined) {
      await write(context.stdout, plainOn(context.stdout, result.endsWith('\n') ? result : `${result}\n`));
    }
    if (flags.prune && ran) for (const ledger of ledgers) await write(context.stderr, ledgerText(ledger));
    await write(context.stderr, `${status.replace('_', ' ')} · recorded in ${directory}\n`);
    if (run.error !== undefined) await write(context.stderr, `error: ${run.error}\n`);
  }
  context.setExitCode(ran ? RUN_EXIT[status] : EXIT.usage);
}
