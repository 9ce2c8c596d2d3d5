import { closeSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { PhaseEntry, RunFile } from '@jeeves/protocol';
import { RunnerError } from '../errors.ts';
import { runInGroup } from '../processGroup.ts';
import type { AgentProvider } from '../provider.ts';
import { makeDirectory, writeJson } from '../record/files.ts';
import { type RunOptions, type RunOutcome, runAgent } from '../runner.ts';
import { stopSignal } from '../stopSignal.ts';
import type { Facts } from './guard.ts';
import type { Phase, Workflow } from './workflow.ts';

export interface WorkflowRunOptions extends Omit<RunOptions, 'prompt' | 'provider'> {
  readonly workflow: Workflow;
  /** The workflow's own file: prompt files lie beside it. */
  readonly file: string;
  /** For phases that name no provider of their own; so is the model. */
  readonly provider: string;
  readonly loadProvider: (name: string) => Promise<AgentProvider>;
  readonly onPhase?: ((phase: string) => void) | undefined;
  /** Guards may lead in circles: after so many phases the workflow has failed. */
  readonly maxPhases?: number | undefined;
}

export interface WorkflowOutcome {
  readonly status: RunOutcome['status'];
  readonly directory: string;
  readonly run: RunFile;
  readonly outcomes: readonly RunOutcome[];
}

type PhaseResult = Pick<RunOutcome, 'status' | 'result'> &
  Pick<RunFile, 'error' | 'error_type'> & { readonly outcome?: RunOutcome };

const MAX_PHASES = 50;

/** Runs phase after phase, each with a fresh agent and a record of its own, until none follows. */
export async function runWorkflow(options: WorkflowRunOptions): Promise<WorkflowOutcome> {
  const { workflow, maxPhases = MAX_PHASES, directory, now = Date.now } = options;
  const prompts = readPrompts(options);
  makeDirectory(directory);
  const started = now();
  const phases: PhaseEntry[] = [];
  const outcomes: RunOutcome[] = [];
  const claims = new Map<string, unknown>();
  const write = (state: Ended): RunFile => {
    const run = toRunFile({ options, started, now }, state);
    writeJson(join(directory, 'run.json'), run);
    return run;
  };
  write({ status: 'running', phases });
  let ended: RunOutcome['status'] = 'succeeded';
  let problem: Pick<RunFile, 'error' | 'error_type'> = {};
  for (let name: string | null = workflow.start; name !== null; ) {
    const phase: Phase = phaseOf(workflow, name);
    if (phase.type === 'terminal') break;
    if (phases.length === maxPhases) {
      ended = 'failed';
      problem = { error: `the workflow did not end within ${maxPhases} phases` };
      break;
    }
    options.onPhase?.(name);
    const folder = join('phases', `${String(phases.length + 1).padStart(3, '0')}-${name.replaceAll(/[^\w.-]/g, '_')}`);
    const left = options.timeoutMs === undefined ? undefined : Math.max(1, started + options.timeoutMs - now());
    const place = { directory: join(directory, folder), prompt: prompts.get(name), timeoutMs: left };
    const done = await runPhase(phase, { ...options, ...place });
    if (done.outcome !== undefined) outcomes.push(done.outcome);
    for (const [key, value] of Object.entries(claimedIn(done.result ?? ''))) claims.set(key, value);
    const facts = factsOf(name, done, claims);
    const stopped = done.status === 'cancelled' || done.status === 'timed_out';
    const next: string | null = stopped ? null : nextPhase(phase, facts);
    phases.push({ phase: name, directory: folder, status: done.status, next });
    write({ status: 'running', phases });
    // A failure that some transition takes care of is part of the plan.
    if (next === null) {
      ended = done.status;
      problem = { error: done.error, error_type: done.error_type };
    }
    name = next;
  }
  const run = write({ status: ended, phases, ...problem });
  return { status: ended, directory, run, outcomes };
}

function phaseOf({ phases }: Workflow, name: string): Phase {
  const phase = phases.get(name);
  if (phase === undefined) throw new RunnerError('invalid_workflow', `there is no phase named ${name}`);
  return phase;
}

/** All of them at once: a prompt that cannot be read is not found out in the middle of a run. */
function readPrompts({ workflow, file }: WorkflowRunOptions): ReadonlyMap<string, string> {
  const prompts = [...workflow.phases].flatMap(([name, { prompt, promptFile }]) => {
    const text = prompt ?? (promptFile === undefined ? undefined : readPrompt(file, promptFile));
    return text === undefined ? [] : [[name, text] as const];
  });
  return new Map(prompts);
}

type PhaseRun = WorkflowRunOptions & { readonly prompt: string | undefined };

async function runPhase(phase: Phase, options: PhaseRun): Promise<PhaseResult> {
  if (phase.type === 'script') return await runCommand(phase.command ?? '', options);
  const name = phase.provider ?? options.provider;
  const outcome = await runAgent({
    ...options,
    provider: await options.loadProvider(name),
    prompt: options.prompt ?? '',
    model: phase.model ?? options.model ?? options.workflow.model,
    permissionMode: phase.permissionMode ?? options.permissionMode,
  });
  const { error, error_type } = outcome.run;
  return { status: outcome.status, result: outcome.result, error, error_type, outcome };
}

/** Prompts of a workflow lie in its directory: one that reaches outside, by dots or by a link, is refused. */
function readPrompt(workflowFile: string, promptFile: string): string {
  const folder = dirname(resolve(workflowFile));
  try {
    const path = realpathSync(resolve(folder, promptFile));
    const within = relative(realpathSync(folder), path);
    if (within !== '' && within !== '..' && !within.startsWith(`..${sep}`)) return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RunnerError('invalid_workflow', `the prompt cannot be read: ${reason}`);
  }
  throw new RunnerError('invalid_workflow', `the prompt file ${promptFile} lies outside the workflow’s directory`);
}

/** What the command writes is kept in the phase's directory. */
async function runCommand(command: string, options: WorkflowRunOptions): Promise<PhaseResult> {
  const { cwd, config, directory } = options;
  makeDirectory(directory);
  const output = openSync(join(directory, 'output.log'), 'w', 0o600);
  const stop = stopSignal(options);
  try {
    const asked = { file: 'bash', args: ['-c', command], cwd, env: config.agentEnv, abort: stop.signal, output };
    const { code } = await runInGroup(asked);
    const stopped = stop.reason();
    if (stopped !== undefined) return { status: stopped, error: (stop.signal.reason as Error).message };
    if (code === 0) return { status: 'succeeded' };
    return { status: 'failed', error: `the command ended with exit code ${code}: ${command}` };
  } finally {
    stop.clear();
    closeSync(output);
  }
}

function factsOf(name: string, { status, result = '' }: PhaseResult, claims: ReadonlyMap<string, unknown>): Facts {
  return { status: Object.fromEntries(claims), phase: { name, success: status === 'succeeded', result } };
}

/** What an agent claims: a JSON object on the last line of its result becomes `status.*`. */
function claimedIn(result: string): Record<string, unknown> {
  const last = result.trimEnd().split('\n').at(-1)?.trim() ?? '';
  if (!last.startsWith('{')) return {};
  try {
    return JSON.parse(last) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function nextPhase({ transitions }: Phase, facts: Facts): string | null {
  return transitions.find(({ guard }) => guard === undefined || guard(facts))?.to ?? null;
}

interface Described {
  readonly options: WorkflowRunOptions;
  readonly started: number;
  readonly now: () => number;
}

type Ended = Pick<RunFile, 'status' | 'phases' | 'error' | 'error_type'>;

function toRunFile({ options, started, now }: Described, ended: Ended): RunFile {
  return {
    schema: 'jeeves.run.v1',
    run_id: options.runId,
    provider: options.provider,
    model: options.model ?? options.workflow.model ?? null,
    cwd: options.cwd,
    pid: process.pid,
    started_at: new Date(started).toISOString(),
    ended_at: ended.status === 'running' ? null : new Date(now()).toISOString(),
    status: ended.status,
    states: [],
    workflow: options.workflow.name,
    phases: ended.phases,
    ...(ended.error !== undefined && { error: ended.error }),
    ...(ended.error_type !== undefined && { error_type: ended.error_type }),
  };
}
