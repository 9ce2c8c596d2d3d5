import { createInterface } from 'node:readline';
import type { ProviderEvent } from '@jeeves/protocol';
import { RunnerError } from '../errors.ts';
import type { AgentProvider, ProviderRunOptions } from '../provider.ts';
import { type ClientEnd, type ClientProcess, startClient } from './client/child.ts';
import { searchPlaces } from './client/locate.ts';
import { endServers } from './client/reap.ts';
import { type Servers, watchServers } from './client/servers.ts';
import type { CodexServerNews } from './codex/calls.ts';
import { codexArguments, codexEnvironment, locateCodex } from './codex/command.ts';
import { type CodexReader, createCodexReader } from './codex/events.ts';
import { withHint } from './codex/hint.ts';
import { canOverride } from './codex/overrides.ts';

export interface CodexProviderOptions {
  /** Directories to look for Codex in, in place of the usual ones. */
  readonly from?: readonly string[] | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

/** Codex, driven by `codex exec --json`. It is looked for when a run starts. */
export function createCodexProvider(settings: CodexProviderOptions = {}): AgentProvider {
  return { name: 'codex', run: (prompt, options) => runCodex(prompt, options, settings) };
}

async function* runCodex(
  prompt: string,
  options: ProviderRunOptions,
  { from = searchPlaces(), now = Date.now }: CodexProviderOptions,
): AsyncGenerator<ProviderEvent, void, undefined> {
  options.abort.throwIfAborted();
  const program = locateCodex(from);
  const servers = watchServers(options);
  const reader = createCodexReader({ now, onServer: (news) => hear(news, servers) });
  reportUnwritable(options, servers);
  const client = startClient({
    command: process.execPath,
    args: [program, ...codexArguments(options)],
    cwd: options.cwd,
    env: codexEnvironment(options),
    onErrorLine: (line) => hearError(line, servers),
  });
  const stop = (): void => void client.end();
  options.abort.addEventListener('abort', stop);
  let limited = false;
  try {
    const told = withHint(prompt, options);
    client.child.stdin?.end(told);
    yield { type: 'user', content: told, timestamp: new Date(now()).toISOString() };
    for await (const events of eventsOf(client, reader)) {
      servers.look();
      yield* events;
      limited = reader.calls() >= (options.maxTurns ?? Number.POSITIVE_INFINITY);
      if (limited) break;
    }
  } finally {
    options.abort.removeEventListener('abort', stop);
    // One that has said its last word ends by itself.
    if (limited || options.abort.aborted || client.child.stdout?.readableEnded === false) await client.end();
    await client.ended;
    servers.look();
    servers.stop();
    await endServers(options.eventFile, servers.pids());
  }
  const usage = reader.usage();
  if (usage !== undefined) yield usage;
  if (options.abort.aborted) throw new RunnerError('aborted', 'The run was stopped.');
  if (limited) throw new RunnerError('provider_failed', `Codex was stopped after ${options.maxTurns} tool calls.`);
  const problem = problemOf(await client.ended, reader, client);
  if (problem !== undefined) throw new RunnerError('provider_failed', problem);
}

async function* eventsOf(client: ClientProcess, reader: CodexReader): AsyncGenerator<readonly ProviderEvent[]> {
  const { stdout } = client.child;
  if (stdout === null) return;
  for await (const line of createInterface({ input: stdout, crlfDelay: Number.POSITIVE_INFINITY }))
    yield reader.read(line);
}

/** A call tells how its server fares. Codex never starts one again: what is closed stays closed. */
function hear({ server, error }: CodexServerNews, servers: Servers): void {
  if (error === undefined) servers.connected(server);
  else if (error.includes('Transport closed')) servers.died(server, error);
}

const START_FAILURE = 'MCP server startup failed server_name="';

/** Codex goes on without a server that does not start; its log is the only place that mentions it. */
function hearError(line: string, servers: Servers): void {
  const at = line.indexOf(START_FAILURE);
  if (at === -1) return;
  const [server = '', ...rest] = line.slice(at + START_FAILURE.length).split('"');
  servers.failed(server, rest.join('"').replace(/^ error=/, ''));
}

function reportUnwritable({ mcpServers = {} }: ProviderRunOptions, servers: Servers): void {
  for (const [name, server] of Object.entries(mcpServers)) {
    if (canOverride(name, server)) continue;
    servers.failed(name, 'Codex takes servers and variables with plain names only: letters, digits, "_" and "-"');
  }
}

function problemOf({ code, signal, error }: ClientEnd, reader: CodexReader, client: ClientProcess): string | undefined {
  if (error !== undefined) return `Codex could not be started: ${error.message}`;
  if (code === 0) return reader.failure();
  const how = signal === null ? `exit code ${code}` : signal;
  return reader.failure() ?? `Codex ended with ${how}: ${client.errorTail()}`;
}
