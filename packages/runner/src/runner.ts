import { join } from 'node:path';
import {
  type JeevesEvent,
  type Ledger,
  type LedgerPrices,
  type McpServerConfig,
  type ProviderEvent,
  type RunFile,
  type RunStatus,
  replacedVariables,
  type SdkOutput,
} from '@jeeves/protocol';
import type { RunnerConfig } from './config.ts';
import { RunnerError } from './errors.ts';
import { eventsOf } from './iterate.ts';
import { openLedger } from './ledger/ledger.ts';
import { ownToolsOf } from './ledger/own/own.ts';
import { pricesFor } from './ledger/prices.ts';
import type { CountTokens } from './ledger/tokens.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { buildMcpConfig, type McpConfig, type McpServers, PRUNER_SERVER } from './mcpConfig.ts';
import type { AgentProvider } from './provider.ts';
import { openRecord, type RunRecord } from './record/record.ts';
import { watchServers } from './serverWatch.ts';
import { stopSignal } from './stopSignal.ts';

/** What happens during a run, as it happens. */
export type RunNews =
  | { readonly from: 'agent'; readonly event: ProviderEvent }
  | { readonly from: 'runner'; readonly event: JeevesEvent };

export interface RunOptions {
  readonly runId: string;
  readonly provider: AgentProvider;
  readonly prompt: string;
  /** Absolute. */
  readonly cwd: string;
  /** Absolute; where the record goes. */
  readonly directory: string;
  readonly config: RunnerConfig;
  readonly model?: string | undefined;
  readonly maxTurns?: number | undefined;
  readonly permissionMode?: string | undefined;
  readonly timeoutMs?: number | undefined;
  /** Stops the run: the agent, its servers, everything. */
  readonly abort?: AbortSignal | undefined;
  /** A server in place of the configured one. */
  readonly server?: McpServerConfig | undefined;
  readonly prices?: Omit<LedgerPrices, 'basis'> | undefined;
  /** For the ledger; without one its counts are estimates. */
  readonly loadCounter?: (() => Promise<CountTokens>) | undefined;
  readonly rawText?: ((pruneId: string) => Promise<string | undefined>) | undefined;
  readonly onNews?: ((news: RunNews) => void) | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

export interface RunOutcome {
  readonly status: Exclude<RunStatus, 'running'>;
  readonly directory: string;
  /** The agent's last word. */
  readonly result?: string | undefined;
  readonly run: RunFile;
  readonly output: SdkOutput;
  readonly ledger: Ledger;
  /** Why the record is not complete. */
  readonly recordProblem?: string | undefined;
}

/** Runs one prompt with one agent, records it, and leaves no process behind. Never throws for what the agent does. */
export async function runAgent(options: RunOptions): Promise<RunOutcome> {
  const { now = Date.now, provider, cwd } = options;
  const started = now();
  const record = openRecord(options.directory, now);
  const emit = (event: JeevesEvent): void => {
    record.runner(event);
    options.onNews?.({ from: 'runner', event });
  };
  const lifecycle = createLifecycle(emit);
  const prices = pricesFor(provider.name, options.model, options.prices);
  const ledger = openLedger({
    cwd,
    prices,
    own: ownToolsOf(provider.name, options.model),
    simulated: provider.simulated,
    loadCounter: options.loadCounter,
    rawText: options.rawText,
  });
  const describe = (ended?: Ended): RunFile => toRunFile({ options, started, lifecycle, now }, ended);
  record.note('RUNNER', `Started ${options.runId} with ${provider.name} in ${cwd}`);
  record.writeRun(describe());
  let result: string | undefined;
  const ending = await supervise({ options, record, lifecycle, emit }, (event) => {
    if (event.type === 'result') result = event.content;
    ledger.add(event);
    record.agent(event);
    options.onNews?.({ from: 'agent', event });
  });
  const closed = await ledger.close(lifecycle.states.includes('run:mcp_pruner_running'));
  const { status, error, errorType } = ending;
  if (error !== undefined) record.note('ERROR', error);
  record.note('RUNNER', `Ended ${status} after ${((now() - started) / 1000).toFixed(1)} s`);
  const output = record.finish({ success: status === 'succeeded', error, errorType });
  const run = describe({ ...ending, ledger: closed });
  record.writeRun(run);
  const recordProblem = record.problem();
  return { status, directory: options.directory, result, run, output, ledger: closed, recordProblem };
}

interface Ending {
  readonly status: RunOutcome['status'];
  readonly error?: string | undefined;
  readonly errorType?: string | undefined;
}

interface Supervised {
  readonly options: RunOptions;
  readonly record: RunRecord;
  readonly lifecycle: Lifecycle;
  readonly emit: (event: JeevesEvent) => void;
}

/** The run itself: configuration, agent, end. */
async function supervise(
  { options, record, lifecycle, emit }: Supervised,
  onEvent: (event: ProviderEvent) => void,
): Promise<Ending> {
  const { provider, prompt, cwd } = options;
  const outdated = replacedVariables(options.config.agentEnv, 'runner');
  for (const data of outdated) emit({ event: 'mcp_pruner.config_invalid', data });
  const mcpServers = decideServers(options, lifecycle, record.eventFile);
  const withdraw = new AbortController();
  const watch = watchServers({
    lifecycle: withdrawing(lifecycle, withdraw),
    eventFile: record.eventFile,
    root: cwd,
    onLine: record.server,
    onEscalated: (pid) => emit({ event: 'mcp_pruner.kill_escalated', data: { pid } }),
    onStopped: (ms) => emit({ event: 'mcp_pruner.stopped', data: { graceful: false, duration_ms: ms } }),
  });
  const stop = stopSignal(options);
  try {
    const agent = provider.run(prompt, {
      cwd,
      ...(mcpServers !== undefined && { mcpServers }),
      model: options.model,
      maxTurns: options.maxTurns,
      permissionMode: options.permissionMode,
      env: options.config.agentEnv,
      abort: stop.signal,
      withdraw: withdraw.signal,
      onServer: watch.report,
      eventFile: record.eventFile,
    });
    for await (const event of eventsOf(agent, stop.signal)) {
      watch.look();
      onEvent(event);
    }
    return { status: 'succeeded' };
  } catch (error) {
    // A provider that was stopped only knows that much; whoever stopped it knows why.
    const ending = endingOf(stop.reason() === undefined ? error : stop.signal.reason, stop.reason());
    if (ending.status === 'failed') lifecycle.send({ type: 'client_failed' });
    return ending;
  } finally {
    stop.clear();
    watch.phaseOver();
    await watch.clear();
    lifecycle.send({ type: 'phase_ended' });
  }
}

/** A run that lost its server has it taken away from the agent, too: half a server is worse than none. */
function withdrawing(lifecycle: Lifecycle, withdraw: AbortController): Lifecycle {
  return {
    get state() {
      return lifecycle.state;
    },
    states: lifecycle.states,
    send(event) {
      const changed = lifecycle.send(event);
      if (changed && lifecycle.state === 'run:mcp_pruner_degraded') withdraw.abort();
      return changed;
    },
  };
}

function decideServers(options: RunOptions, lifecycle: Lifecycle, eventFile: string): McpServers | undefined {
  const { config, cwd, server } = options;
  const built: McpConfig =
    server === undefined
      ? buildMcpConfig({ config, cwd })
      : { kind: 'resolved', mcpServers: { [PRUNER_SERVER]: server } };
  if (built.kind === 'disabled') lifecycle.send({ type: 'config_disabled' });
  else if (built.kind === 'invalid') lifecycle.send({ ...built, type: 'config_invalid' });
  else lifecycle.send({ type: 'config_resolved' });
  return built.kind === 'resolved' ? withServerEnvironment(built.mcpServers, config, eventFile) : undefined;
}

/** What the server needs beyond the two variables of its configuration: agent clients pass on nothing else. */
function withServerEnvironment(servers: McpServers, config: RunnerConfig, eventFile: string): McpServers {
  const more = { ...config.serverEnv, JEEVES_EVENT_FILE: eventFile, JEEVES_STORE: config.store };
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [name, { ...server, env: { ...more, ...server.env } }]),
  );
}

function endingOf(error: unknown, stopped: 'cancelled' | 'timed_out' | undefined): Ending {
  const cause = error instanceof Error ? error : new Error(String(error));
  const errorType = cause instanceof RunnerError ? cause.code : cause.name;
  return { status: stopped ?? 'failed', error: cause.message, errorType };
}

type Ended = Ending & { readonly ledger: Ledger };

interface Described {
  readonly options: RunOptions;
  readonly started: number;
  readonly lifecycle: Lifecycle;
  readonly now: () => number;
}

function toRunFile({ options, started, lifecycle, now }: Described, ended?: Ended): RunFile {
  return {
    schema: 'jeeves.run.v1',
    run_id: options.runId,
    provider: options.provider.name,
    model: options.model ?? null,
    cwd: options.cwd,
    pid: process.pid,
    started_at: new Date(started).toISOString(),
    ended_at: ended === undefined ? null : new Date(now()).toISOString(),
    status: ended?.status ?? 'running',
    ...(options.provider.simulated === true && { simulated: true }),
    states: lifecycle.states,
    ...(ended?.error !== undefined && { error: ended.error, error_type: ended.errorType }),
    ...(ended !== undefined && { ledger: ended.ledger }),
  };
}

/** Where the runs of a user lie. */
export function runDirectory(config: RunnerConfig, runId: string): string {
  return join(config.runsDirectory, runId);
}
