import { constants } from 'node:os';
import { BASH, type BashArgs, type BashError, type BashResult } from '@jeeves/protocol';
import { scrubbed } from '../exec/environment.ts';
import { ProcessError, type ProcessResult, runProcess, WaitError } from '../exec/process.ts';
import { findProgram } from '../exec/program.ts';
import { PathError, type Root } from '../exec/root.ts';
import type { Tool, ToolCall, ToolOutcome } from '../host/tool.ts';
import type { Pruner } from '../pruner.ts';
import { deadlineOf, failedOutcome, pruneFor } from './call.ts';
import { size } from './fit.ts';
import { outputLimits } from './limits.ts';
import { sourceOfCommand } from './source.ts';
import { type Streams, showStreams, streamsText } from './streams.ts';

export interface BashDependencies {
  readonly root: Root;
  readonly pruner: Pruner;
  /** The server's own; commands get a cleaned copy. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the shell reads profile files. */
  readonly shellLogin: boolean;
}

const PROGRESS_MS = 5000;

export function createBash(dependencies: BashDependencies): Tool<BashArgs> {
  let programs: Promise<Programs> | undefined;
  return {
    definition: BASH,
    run: async (call) => {
      programs ??= findPrograms(dependencies.environment);
      return await run(call, { ...dependencies, ...(await programs) });
    },
  };
}

/** Found once on the server's own path: the path that a call sets is for the command alone. */
interface Programs {
  readonly shell: string | null;
  readonly mkfifo: string | null;
}

async function findPrograms(environment: BashDependencies['environment']): Promise<Programs> {
  return { shell: await findProgram('bash', environment), mkfifo: await findProgram('mkfifo', environment) };
}

type Running = BashDependencies & Programs;

async function run(call: ToolCall<BashArgs>, dependencies: Running): Promise<ToolOutcome> {
  const { args, emit } = call;
  const { pruner } = dependencies;
  const limits = outputLimits(call, pruner);
  const started = performance.now();
  let cwd: string;
  let result: ProcessResult;
  try {
    cwd = (await dependencies.root.resolveDirectory(args.cwd ?? '.')).path;
    result = await withProgress(call, () => execute(call, cwd, dependencies, limits.captured));
  } catch (error) {
    const problem = whyNotRun(error);
    const duration_ms = Math.round(performance.now() - started);
    if (problem.code === 'timeout') reportTimeout(call);
    emit({ event: 'tool.exec_failed', data: { tool: 'bash', ...problem, duration_ms } });
    return await failedOutcome(call, pruner, { tool: 'bash', error: problem });
  }
  const ended = endOf(result, args.timeout_ms);
  report(call, result, ended);
  const chosen = result.stdout === '' ? 'stderr' : 'stdout';
  const output = await pruneFor(call, pruner, {
    tool: 'bash',
    text: result[chosen],
    source: sourceOfCommand(ended !== undefined),
    deadline: deadlineOf(call, args.timeout_ms),
  });
  const other = chosen === 'stdout' ? result.stderr : result.stdout;
  const finished: Finished = { result, cwd, ended, captured: limits.captured };
  const shrink = (bytes: number): ToolOutcome =>
    outcome(args, finished, showStreams({ chosen, output, other }, bytes), bytes);
  return { ...shrink(limits.shown), shrink };
}

async function execute(
  { args, signal }: ToolCall<BashArgs>,
  cwd: string,
  { environment, shellLogin, shell, mkfifo }: Running,
  maxOutputBytes: number,
): Promise<ProcessResult> {
  if (shell === null) throw new ProcessError('there is no bash on the path of the server', null);
  return runProcess({
    command: shell,
    args: [shellLogin ? '-lc' : '-c', args.command],
    cwd,
    env: scrubbed(environment, args.env),
    mkfifo,
    timeoutMs: args.timeout_ms,
    maxOutputBytes,
    signal,
  });
}

/** A sign of life every few seconds, for clients that give up on a silent request. */
async function withProgress<Result>(call: ToolCall<BashArgs>, work: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  const timer = setInterval(() => {
    call.progress(`running for ${Math.round((performance.now() - started) / 1000)} s`);
  }, PROGRESS_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

type Problem = BashError['error'];

function whyNotRun(error: unknown): Problem {
  if (error instanceof PathError) return { code: 'invalid_cwd', message: error.message };
  if (error instanceof WaitError) return { code: 'timeout', message: error.message };
  if (error instanceof ProcessError) return { code: 'spawn_error', message: error.message };
  throw error;
}

/** How a command failed that ran; undefined when it did not. */
function endOf({ timedOut, exitCode, signal }: ProcessResult, timeoutMs: number): Problem | undefined {
  if (timedOut) return { code: 'timeout', message: `the command was stopped after ${timeoutMs} ms` };
  if (exitCode === 0) return undefined;
  if (exitCode !== null) {
    return { code: 'nonzero_exit', message: `the command ended with exit code ${exitCode}`, exit_code: exitCode };
  }
  // As a shell reports it: 128 and the number of the signal.
  const number = constants.signals[signal as NodeJS.Signals] ?? 0;
  return { code: 'nonzero_exit', message: `the command was ended by ${signal}`, exit_code: 128 + number };
}

function report(call: ToolCall<BashArgs>, result: ProcessResult, ended: Problem | undefined): void {
  const { emit } = call;
  const duration_ms = result.durationMs;
  if (ended?.code === 'timeout') reportTimeout(call);
  if (ended !== undefined) return emit({ event: 'tool.exec_failed', data: { tool: 'bash', ...ended, duration_ms } });
  const bytes = size(result.stdout) + size(result.stderr);
  emit({ event: 'tool.exec_ok', data: { tool: 'bash', duration_ms, bytes } });
}

function reportTimeout({ args, emit }: ToolCall<BashArgs>): void {
  emit({ event: 'tool.exec_timeout', data: { tool: 'bash', timeout_ms: args.timeout_ms } });
}

interface Finished {
  readonly result: ProcessResult;
  readonly cwd: string;
  readonly ended: Problem | undefined;
  readonly captured: number;
}

function outcome(args: BashArgs, finished: Finished, shown: Streams, bytes: number): ToolOutcome {
  const { result, cwd, ended, captured } = finished;
  const { pruning } = shown;
  const truncated = result.truncated || shown.rawCut || shown.prunedCut !== undefined;
  const streams = { stdout: shown.structured.stdout, stderr: shown.structured.stderr };
  const structured: BashResult | BashError =
    ended === undefined
      ? {
          tool: 'bash',
          command: args.command,
          cwd,
          ...streams,
          exit_code: 0,
          timed_out: false,
          truncated,
          duration_ms: result.durationMs,
          pruning,
        }
      : { tool: 'bash', error: ended, ...streams, truncated, pruning };
  const cutAt = shown.rawCut ? bytes : result.truncated ? captured : undefined;
  return {
    text: streamsText(shown, { ended, cutAt }),
    structured,
    isError: ended !== undefined,
    mode: pruning.applied ? 'pruned' : 'raw',
  };
}
