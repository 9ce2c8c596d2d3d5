import { Buffer } from 'node:buffer';
import { constants } from 'node:os';
import { BASH, type BashArgs, type BashError, type BashResult } from '@jeeves/protocol';
import { inherited, withoutColours } from '../exec/environment.ts';
import { type CapturedResult, captureProcess, ProcessError, runProcess, WaitError } from '../exec/process.ts';
import { findProgram } from '../exec/program.ts';
import { wellFormed } from '../exec/read-capture.ts';
import { PathError, type Root } from '../exec/root.ts';
import type { Tool, ToolCall, ToolOutcome } from '../host/tool.ts';
import type { Pruner } from '../pruner.ts';
import { deadlineOf, failedOutcome } from './call.ts';
import { outputLimits } from './limits.ts';
import { sourceOfCommand } from './source.ts';
import { aroundStreams, fitStreams, type Streams, showStreams, streamsPruning, streamsText } from './streams.ts';

export interface BashDependencies {
  readonly root: Root;
  readonly pruner: Pruner;
  /** The server's own; commands get a cleaned copy. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What commands inherit of it beside the usual. */
  readonly environmentPass: readonly string[];
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
  const limits = outputLimits(call);
  const started = performance.now();
  let cwd: string;
  let result: CapturedResult;
  try {
    cwd = (await dependencies.root.resolveDirectory(args.cwd ?? '.')).path;
    result = await withProgress(call, () => execute(call, cwd, dependencies, limits.cut));
  } catch (error) {
    const problem = whyNotRun(error);
    const duration_ms = Math.round(performance.now() - started);
    if (problem.code === 'timeout') reportTimeout(call);
    emit({ event: 'tool.exec_failed', data: { tool: 'bash', ...problem, duration_ms } });
    return await failedOutcome(call, pruner, { tool: 'bash', error: problem });
  }
  const ended = endOf(result, args.timeout_ms);
  report(call, result, ended);
  const cutAt = limits.cut !== undefined && result.truncated ? limits.cut : undefined;
  const written = {
    stdout: result.stdout,
    stderr: result.stderr,
    source: sourceOfCommand(ended !== undefined),
    around: aroundStreams(ended, cutAt),
    deadline: deadlineOf(call, args.timeout_ms),
  };
  const finished: Finished = { result, cwd, ended, cutAt };
  const streams = await showStreams(call, pruner, written, limits);
  const shown = outcome(args, finished, streams);
  if (streams.stdout.fit === undefined && streams.stderr.fit === undefined) return shown;
  return { ...shown, shrink: (bytes) => outcome(args, finished, fitStreams(streams, bytes)) };
}

/** Everything the command wrote, unless the caller wants it cut. */
async function execute(
  { args, signal }: ToolCall<BashArgs>,
  cwd: string,
  { environment, environmentPass, shellLogin, shell, mkfifo }: Running,
  cut: number | undefined,
): Promise<CapturedResult> {
  if (shell === null) throw new ProcessError('there is no bash on the path of the server', null);
  const request = {
    command: shell,
    args: [shellLogin ? '-lc' : '-c', args.command],
    cwd,
    env: { ...withoutColours(inherited(environment, environmentPass)), ...args.env },
    mkfifo,
    timeoutMs: args.timeout_ms,
    signal,
  };
  if (cut !== undefined) {
    const { stdout, stderr, ...end } = await runProcess({ ...request, maxOutputBytes: cut });
    return { ...end, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) };
  }
  const { stdout, stderr, ...end } = await captureProcess(request);
  return { ...end, stdout: wellFormed(stdout), stderr: wellFormed(stderr) };
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
function endOf({ timedOut, exitCode, signal }: CapturedResult, timeoutMs: number): Problem | undefined {
  if (timedOut) return { code: 'timeout', message: `the command was stopped after ${timeoutMs} ms` };
  if (exitCode === 0) return undefined;
  if (exitCode !== null) {
    return { code: 'nonzero_exit', message: `the command ended with exit code ${exitCode}`, exit_code: exitCode };
  }
  // As a shell reports it: 128 and the number of the signal.
  const number = constants.signals[signal as NodeJS.Signals] ?? 0;
  return { code: 'nonzero_exit', message: `the command was ended by ${signal}`, exit_code: 128 + number };
}

function report(call: ToolCall<BashArgs>, result: CapturedResult, ended: Problem | undefined): void {
  const { emit } = call;
  const duration_ms = result.durationMs;
  if (ended?.code === 'timeout') reportTimeout(call);
  if (ended !== undefined) return emit({ event: 'tool.exec_failed', data: { tool: 'bash', ...ended, duration_ms } });
  const bytes = result.stdout.length + result.stderr.length;
  emit({ event: 'tool.exec_ok', data: { tool: 'bash', duration_ms, bytes } });
}

function reportTimeout({ args, emit }: ToolCall<BashArgs>): void {
  emit({ event: 'tool.exec_timeout', data: { tool: 'bash', timeout_ms: args.timeout_ms } });
}

interface Finished {
  readonly result: CapturedResult;
  readonly cwd: string;
  readonly ended: Problem | undefined;
  readonly cutAt: number | undefined;
}

function outcome(args: BashArgs, { result, cwd, ended, cutAt }: Finished, shown: Streams): ToolOutcome {
  const pruning = streamsPruning(shown);
  const truncated = result.truncated || shown.stdout.truncated || shown.stderr.truncated;
  const streams = { stdout: shown.stdout.structuredText, stderr: shown.stderr.structuredText };
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
  return {
    text: streamsText(shown, { ended, cutAt }),
    structured,
    isError: ended !== undefined,
    mode: pruning.applied ? 'pruned' : 'raw',
  };
}
