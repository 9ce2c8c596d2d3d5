import { setTimeout as delay } from 'node:timers/promises';
import {
  type ProviderEvent,
  RESULT_META_KEY,
  recoverArguments,
  resultFacts,
  type ToolResultEvent,
  type ToolsCallResult,
  withGoal,
} from '@jeeves/protocol';
import { RunnerError } from '../../errors.ts';
import type { AgentProvider, ProviderRunOptions } from '../../provider.ts';
import { createMeter, type Meter } from './meter.ts';
import { callOwnTool } from './ownTools.ts';
import { EMPTY_SCRIPT, type FakeScript, type Step } from './script.ts';
import { type FakeServer, startFakeServer } from './server.ts';

export interface FakeProviderOptions {
  readonly script?: FakeScript | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const MAX_PROMPT_SHOWN = 2000;

/** An agent without a model: it follows a script, but its server, its tools and their outputs are real. */
export function createFakeProvider(given: FakeProviderOptions = {}): AgentProvider {
  const { script = EMPTY_SCRIPT, now = Date.now } = given;
  return { name: 'fake', simulated: true, run: (prompt, options) => play({ prompt, options, script, now }) };
}

interface Play {
  readonly prompt: string;
  readonly options: ProviderRunOptions;
  readonly script: FakeScript;
  readonly now: () => number;
}

async function* play({ prompt, options, script, now }: Play): AsyncGenerator<ProviderEvent> {
  const timestamp = (): string => new Date(now()).toISOString();
  const meter = createMeter();
  meter.told(prompt);
  yield { type: 'system', subtype: 'init', content: 'fake agent', sessionId: 'fake-session', timestamp: timestamp() };
  yield { type: 'user', content: prompt.slice(0, MAX_PROMPT_SHOWN), timestamp: timestamp() };
  const server = await startFakeServer(options, script);
  try {
    meter.told(server.current()?.definitions ?? '');
    const agent: Agent = { options, server, meter, now, timestamp, calls: 0, lastPruned: undefined };
    if (script.steps.length === 0) yield { type: 'assistant', content: 'Hello.', timestamp: timestamp() };
    for (const step of script.steps.slice(0, options.maxTurns)) {
      options.abort.throwIfAborted();
      yield* follow(step, agent);
    }
    options.abort.throwIfAborted();
    if (script.steps.length > (options.maxTurns ?? Number.POSITIVE_INFINITY)) {
      yield meter.usage();
      throw new RunnerError('provider_failed', `the agent was stopped after ${options.maxTurns} turns`);
    }
    meter.wrote(script.result);
    yield { type: 'result', content: script.result, timestamp: timestamp() };
    yield meter.usage();
  } finally {
    await server.close();
  }
}

interface Agent {
  readonly options: ProviderRunOptions;
  readonly server: FakeServer;
  readonly meter: Meter;
  readonly now: () => number;
  readonly timestamp: () => string;
  calls: number;
  /** The last result that has gaps. */
  lastPruned: { readonly pruneId: string; readonly text: string } | undefined;
}

async function* follow(step: Step, agent: Agent): AsyncGenerator<ProviderEvent> {
  const { options, server, meter, timestamp } = agent;
  if (step.do === 'say') {
    meter.wrote(step.text);
    yield { type: 'assistant', content: step.text, timestamp: timestamp() };
  } else if (step.do === 'call') {
    yield* use(agent, step.tool, withGoal(step.args, server.current() === undefined ? undefined : step.goal));
  } else if (step.do === 'recover') {
    // Without a server nothing was pruned, so there is nothing to ask for.
    for (const args of server.current() === undefined ? [] : gapsToRecover(agent, step.which)) {
      yield* use(agent, 'recover_text', args);
    }
  } else if (step.do === 'wait') await delay(step.ms, undefined, { signal: options.abort });
  else if (step.do === 'kill') await killServer(server, step.signal);
  else if (step.do === 'restart') await server.restart();
  else throw new RunnerError('provider_failed', step.message);
}

/** One call: of the server while there is one, else of the agent's own tools. */
async function* use(
  agent: Agent,
  tool: string,
  input: Readonly<Record<string, unknown>>,
): AsyncGenerator<ProviderEvent> {
  const { options, server, meter, now, timestamp } = agent;
  const connection = server.current();
  agent.calls += 1;
  const id = `call_${agent.calls}`;
  const name = connection === undefined ? tool : `mcp:${server.name}/${tool}`;
  meter.wrote(JSON.stringify(input));
  yield { type: 'tool_use', name, input, id, timestamp: timestamp() };
  const started = now();
  const answer =
    connection === undefined
      ? await own(tool, input, options)
      : await raced(connection.call(tool, input), options.abort).then(fromServer, fromError);
  options.abort.throwIfAborted();
  meter.told(answer.content);
  const pruneId = resultFacts(answer.structured)?.pruneId;
  if (pruneId !== undefined) agent.lastPruned = { pruneId, text: answer.content };
  yield { type: 'tool_result', toolUseId: id, ...answer, durationMs: now() - started, timestamp: timestamp() };
}

type Answer = Pick<ToolResultEvent, 'content' | 'isError' | 'structured'>;

async function own(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  { cwd, abort }: ProviderRunOptions,
): Promise<Answer> {
  const { text, isError } = await callOwnTool({ tool, args, cwd, abort });
  return { content: text, isError };
}

function fromServer({ content, structuredContent, isError, _meta }: ToolsCallResult): Answer {
  const text = Array.isArray(content) ? content.map((block) => block.text).join('\n') : '';
  const structured = structuredContent ?? (_meta?.[RESULT_META_KEY] as Answer['structured']);
  return {
    content: text,
    isError: isError ?? false,
    ...(structured !== undefined && { structured: { ...structured } }),
  };
}

function fromError(error: unknown): Answer {
  return { content: `Error: ${error instanceof Error ? error.message : String(error)}`, isError: true };
}

function raced<Value>(work: Promise<Value>, abort: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(abort.reason as Error);
    if (abort.aborted) stop();
    abort.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => abort.removeEventListener('abort', stop));
  });
}

const GAP = /^⟦pruned (\d{1,9})-(\d{1,9}) /gm;

function gapsToRecover({ lastPruned }: Agent, which: 'first' | 'all'): readonly Readonly<Record<string, unknown>>[] {
  if (lastPruned === undefined) return [];
  const gaps = [...lastPruned.text.matchAll(GAP)].map(([, start, end]) =>
    recoverArguments(lastPruned.pruneId, { startLine: Number(start), endLine: Number(end) }),
  );
  return which === 'all' ? gaps : gaps.slice(0, 1);
}

/** Waits until the connection has noticed, so that what follows in the script follows the death. */
async function killServer(server: FakeServer, signal: NodeJS.Signals): Promise<void> {
  server.current()?.kill(signal);
  for (let waited = 0; server.current() !== undefined && waited < 5000; waited += 10) await delay(10);
}
