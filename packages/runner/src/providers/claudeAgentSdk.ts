import type { ProviderEvent } from '@jeeves/protocol';
import { RunnerError } from '../errors.ts';
import type { AgentProvider, ProviderRunOptions } from '../provider.ts';
import { createClaudeHooks } from './claude/hooks.ts';
import { createClaudeReader } from './claude/messages.ts';
import { claudeOptions } from './claude/options.ts';
import { type ClaudeMessage, type ClaudeQuery, type ClaudeSpawn, loadClaudeSdk } from './claude/sdk.ts';
import { type ClientProcess, startClient } from './client/child.ts';
import { searchPlaces } from './client/locate.ts';
import { isRecord } from './client/names.ts';
import { endServers } from './client/reap.ts';
import { type Servers, watchServers } from './client/servers.ts';
import { createWithdrawal } from './client/withdrawal.ts';

export interface ClaudeProviderOptions {
  /** Directories to look for the SDK in, in place of the usual ones. */
  readonly from?: readonly string[] | undefined;
  /** Whether this process runs as root. */
  readonly root?: boolean | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

/** Claude Code, driven by the Claude Agent SDK. The SDK is loaded when a run starts. */
export function createClaudeProvider(settings: ClaudeProviderOptions = {}): AgentProvider {
  return { name: 'claude-agent-sdk', run: (prompt, options) => runClaude(prompt, options, settings) };
}

async function* runClaude(
  prompt: string,
  options: ProviderRunOptions,
  { from = searchPlaces(), root = process.getuid?.() === 0, now = Date.now }: ClaudeProviderOptions,
): AsyncGenerator<ProviderEvent, void, undefined> {
  const sdk = await loadClaudeSdk(from);
  options.abort.throwIfAborted();
  const servers = watchServers(options);
  const withdrawal = createWithdrawal(options, async (server) => {
    // A server that was started again still answers the call that it was started for.
    await calls.idle();
    await query.toggleMcpServer(server, false);
  });
  const calls = createClaudeHooks(servers, withdrawal.done);
  const reader = createClaudeReader({ now, durationOf: calls.durationOf });
  const abortController = new AbortController();
  let client: ClientProcess | undefined;
  const stop = (): void => {
    abortController.abort();
    // The SDK would wait for two seconds first; nobody needs what the client could still say.
    void client?.end();
  };
  options.abort.addEventListener('abort', stop);
  const query: ClaudeQuery = sdk.query({
    prompt,
    options: {
      ...claudeOptions(options, { root }),
      abortController,
      hooks: calls.hooks,
      spawnClaudeCodeProcess(command: ClaudeSpawn) {
        client = startClient({ ...command, cwd: command.cwd ?? options.cwd, env: defined(command.env) });
        return client.child;
      },
    },
  });
  try {
    yield { type: 'user', content: prompt, timestamp: new Date(now()).toISOString() };
    for await (const message of query) {
      if (message['type'] === 'system' && message['subtype'] === 'init') await reportServers(message, query, servers);
      for (const event of reader.read(message)) {
        if (event.type === 'tool_result') calls.settled(event.toolUseId);
        yield event;
      }
    }
  } catch (error) {
    if (!options.abort.aborted && reader.outcome() === undefined) throw failure(error, client);
  } finally {
    options.abort.removeEventListener('abort', stop);
    await client?.end();
    servers.stop();
    await endServers(options.eventFile, servers.pids());
  }
  const outcome = reader.outcome();
  const usage = reader.usage();
  if (outcome === undefined && usage !== undefined) yield usage;
  if (options.abort.aborted) throw new RunnerError('aborted', 'The run was stopped.');
  if (outcome === undefined) throw failure(new Error('Claude Code ended without a result'), client);
  if (outcome.failed) throw new RunnerError('provider_failed', outcome.message);
}

/** At the start Claude says which servers it is connected with; only when asked does it say why not with the others. */
async function reportServers(message: ClaudeMessage, query: ClaudeQuery, servers: Servers): Promise<void> {
  const listed = Array.isArray(message['mcp_servers']) ? message['mcp_servers'].filter(isRecord) : [];
  for (const { name, status } of listed) {
    if (status === 'connected') {
      servers.connected(String(name));
      continue;
    }
    servers.failed(String(name), await reasonOf(String(name), query));
    // One that is merely late must not turn up in the middle of a run that was recorded without it.
    if (status !== 'failed') await query.toggleMcpServer(String(name), false).catch(() => undefined);
  }
}

async function reasonOf(server: string, query: ClaudeQuery): Promise<string> {
  try {
    const status = (await query.mcpServerStatus()).find(({ name }) => name === server);
    return status?.error ?? `Claude Code calls the server ${status?.status ?? 'unknown'}`;
  } catch {
    return 'Claude Code could not connect with the server';
  }
}

function failure(error: unknown, client: ClientProcess | undefined): RunnerError {
  const message = error instanceof Error ? error.message : String(error);
  const said = client?.errorTail() ?? '';
  return new RunnerError('provider_failed', said === '' ? message : `${message}\n${said}`, { cause: error });
}

function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
