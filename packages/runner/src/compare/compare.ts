import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Basis, LedgerPrices, SdkStats } from '@jeeves/protocol';
import { type RunnerConfig, withoutPruning, withPruning } from '../config.ts';
import { RunnerError } from '../errors.ts';
import type { CountTokens } from '../ledger/tokens.ts';
import { runInGroup } from '../processGroup.ts';
import type { AgentProvider } from '../provider.ts';
import { newRunId } from '../runId.ts';
import { type RunOutcome, runAgent } from '../runner.ts';
import { compareSentence } from './sentence.ts';
import { type Estimate, estimate, mean } from './statistics.ts';
import type { Task } from './task.ts';

export interface CompareOptions {
  readonly task: Task;
  readonly runs: number;
  readonly loadProvider: () => Promise<AgentProvider>;
  readonly config: RunnerConfig;
  /** Absolute; where the records go. */
  readonly directory: string;
  readonly model?: string | undefined;
  readonly prices?: Omit<LedgerPrices, 'basis'> | undefined;
  readonly loadCounter?: (() => Promise<CountTokens>) | undefined;
  readonly rawText?: ((pruneId: string) => Promise<string | undefined>) | undefined;
  readonly abort?: AbortSignal | undefined;
  readonly onRun?: ((done: number, of: number) => void) | undefined;
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** What one run took. */
export interface Trial {
  readonly pruned: boolean;
  readonly directory: string;
  readonly status: RunOutcome['status'];
  readonly success: boolean;
  /** All that the model read and wrote, over all requests; null when the provider did not say. */
  readonly tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_usd: number | null;
  readonly cost_basis: Basis;
  readonly turns: number | null;
  readonly seconds: number;
  /** What the ledger of the run says was saved. */
  readonly net_tokens: number;
}

export type Metric = 'tokens' | 'output_tokens' | 'cost_usd' | 'turns' | 'seconds' | 'success';

export interface MetricSummary {
  readonly with: number;
  readonly without: number;
  /** Without minus with, pair by pair: what pruning saved. Only of pairs that have both values. */
  readonly saved: Estimate;
  readonly pairs: number;
}

export interface Comparison {
  readonly schema: 'jeeves.compare.v1';
  /** The outcome in one sentence. */
  readonly sentence: string;
  /** Present when no model was asked: tokens, cost and turns are computed by the fake provider. */
  readonly simulated?: true | undefined;
  readonly task: string;
  readonly provider: string;
  readonly model: string | null;
  readonly runs: number;
  readonly pairs: readonly { readonly with: Trial; readonly without: Trial }[];
  readonly summary: Readonly<Record<Metric, MetricSummary>>;
}

const METRICS: readonly Metric[] = ['tokens', 'output_tokens', 'cost_usd', 'turns', 'seconds', 'success'];

/** The same task with and without pruning, in pairs; who goes first alternates, so that no side profits from it. */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { task, runs } = options;
  const provider = await options.loadProvider();
  const pairs: { with: Trial; without: Trial }[] = [];
  let done = 0;
  const trial = async (pair: number, pruned: boolean): Promise<Trial> => {
    options.abort?.throwIfAborted();
    const ran = await runTrial({ options, provider, pruned, name: String(pair + 1).padStart(3, '0') });
    done += 1;
    options.onRun?.(done, 2 * runs);
    return ran;
  };
  for (let pair = 0; pair < runs; pair += 1) {
    const prunedFirst = pair % 2 === 0;
    const first = await trial(pair, prunedFirst);
    const second = await trial(pair, !prunedFirst);
    pairs.push(prunedFirst ? { with: first, without: second } : { with: second, without: first });
  }
  const summary = Object.fromEntries(
    METRICS.map((metric) => [metric, summarise(metric, pairs)]),
  ) as Comparison['summary'];
  const label = provider.simulated === true ? ({ simulated: true } as const) : {};
  return {
    schema: 'jeeves.compare.v1',
    sentence: compareSentence({ pairs, summary, ...label }),
    ...label,
    task: task.name,
    provider: provider.name,
    model: options.model ?? task.model ?? null,
    runs,
    pairs,
    summary,
  };
}

interface TrialOptions {
  readonly options: CompareOptions;
  readonly provider: AgentProvider;
  readonly pruned: boolean;
  readonly name: string;
}

async function runTrial({ options, provider, pruned, name }: TrialOptions): Promise<Trial> {
  const { task, config, now, randomBytes } = options;
  const cwd = mkdtempSync(join(tmpdir(), 'jeeves-compare-'));
  const work = join(cwd, 'work');
  try {
    if (task.directory === undefined) mkdirSync(work);
    else cpSync(task.directory, work, { recursive: true, verbatimSymlinks: true });
    if (task.setup !== undefined && !(await succeeds(task.setup, work, options))) {
      throw new RunnerError('invalid_task', `the setup of the task failed: ${task.setup}`);
    }
    const directory = join(options.directory, `${name}-${pruned ? 'with' : 'without'}`);
    const started = now();
    const outcome = await runAgent({
      runId: newRunId({ now: started, pid: process.pid, randomBytes }),
      provider,
      prompt: task.prompt,
      cwd: work,
      directory,
      config: pruned ? withPruning(config) : withoutPruning(config),
      model: options.model ?? task.model,
      maxTurns: task.maxTurns,
      timeoutMs: task.timeoutMs,
      abort: options.abort,
      prices: options.prices,
      loadCounter: options.loadCounter,
      rawText: options.rawText,
      now,
    });
    const seconds = (now() - started) / 1000;
    const { error = '', error_type } = outcome.run;
    if (error_type === 'sdk_missing') throw new RunnerError('sdk_missing', error);
    options.abort?.throwIfAborted();
    const checked = task.check === undefined || (await succeeds(task.check, work, options));
    return toTrial({ outcome, pruned, seconds, success: checked && outcome.status === 'succeeded' });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function toTrial(ran: { outcome: RunOutcome; pruned: boolean; seconds: number; success: boolean }): Trial {
  const { outcome, pruned, seconds, success } = ran;
  const { stats } = outcome.output;
  const { prices } = outcome.ledger;
  const told = stats.output_tokens !== null;
  return {
    pruned,
    directory: outcome.directory,
    status: outcome.status,
    success,
    tokens: told ? tokensOf(stats) : null,
    output_tokens: stats.output_tokens,
    cost_usd: stats.total_cost_usd ?? (told ? costOf(stats, prices) : null),
    cost_basis: stats.total_cost_usd === null ? 'estimated' : 'measured',
    turns: stats.num_turns ?? (told ? outcome.ledger.requests.count : null),
    seconds,
    net_tokens: outcome.ledger.net.processed_tokens,
  };
}

function tokensOf(stats: SdkStats): number {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = stats;
  return (
    (input_tokens ?? 0) + (output_tokens ?? 0) + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0)
  );
}

function costOf(stats: SdkStats, prices: LedgerPrices): number {
  const millionths =
    (stats.input_tokens ?? 0) * prices.input +
    (stats.output_tokens ?? 0) * prices.output +
    (stats.cache_creation_input_tokens ?? 0) * prices.cache_write +
    (stats.cache_read_input_tokens ?? 0) * prices.cache_read;
  return millionths / 1_000_000;
}

function summarise(metric: Metric, pairs: readonly { with: Trial; without: Trial }[]): MetricSummary {
  const both = pairs.flatMap((pair) => {
    const [pruned, whole] = [valueOf(pair.with, metric), valueOf(pair.without, metric)];
    return pruned === null || whole === null ? [] : [{ pruned, whole }];
  });
  return {
    with: mean(both.map(({ pruned }) => pruned)),
    without: mean(both.map(({ whole }) => whole)),
    saved: estimate(both.map(({ pruned, whole }) => whole - pruned)),
    pairs: both.length,
  };
}

function valueOf(trial: Trial, metric: Metric): number | null {
  const value = trial[metric];
  return typeof value === 'boolean' ? Number(value) : value;
}

/** What it writes is nobody's to read: only its exit code counts, however much it says. */
async function succeeds(command: string, cwd: string, { config, abort }: CompareOptions): Promise<boolean> {
  const asked = { file: 'bash', args: ['-c', command], cwd, env: config.agentEnv, abort, output: 'ignore' } as const;
  return (await runInGroup(asked)).code === 0;
}
