import { pathToFileURL } from 'node:url';
import type { McpServerConfig } from '@jeeves/protocol';
import { RunnerError } from '../../errors.ts';
import { locate } from '../client/locate.ts';
import { isRecord } from '../client/names.ts';

/** The part of the Claude Agent SDK that is used, in our own words: it is an optional peer, mostly not installed. */
export interface ClaudeSdk {
  readonly query: (call: { readonly prompt: string; readonly options: ClaudeRunOptions }) => ClaudeQuery;
}

export interface ClaudeQuery extends AsyncIterable<ClaudeMessage> {
  readonly toggleMcpServer: (server: string, enabled: boolean) => Promise<void>;
  readonly mcpServerStatus: () => Promise<readonly ClaudeServerStatus[]>;
}

/** A message of the stream; which fields it has depends on its type. */
export type ClaudeMessage = Readonly<Record<string, unknown>>;

export interface ClaudeServerStatus {
  readonly name: string;
  readonly status: string;
  readonly error?: string;
}

export interface ClaudeOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly model?: string;
  readonly maxTurns?: number;
  readonly systemPrompt: { readonly type: 'preset'; readonly preset: 'claude_code' };
  readonly includePartialMessages: false;
  readonly persistSession: false;
  readonly settingSources: string[];
  readonly strictMcpConfig: true;
  readonly mcpServers?: Readonly<Record<string, ClaudeServer>>;
  readonly permissionMode: string;
  readonly allowedTools?: string[];
  readonly allowDangerouslySkipPermissions?: true;
}

/** What a run adds to the options that its settings make. */
export interface ClaudeRunOptions extends ClaudeOptions {
  readonly abortController: AbortController;
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly ClaudeHook[] }[]>>;
  readonly spawnClaudeCodeProcess: (command: ClaudeSpawn) => unknown;
}

export interface ClaudeServer extends McpServerConfig {
  readonly alwaysLoad: true;
  readonly timeout: number;
}

export type ClaudeHook = (input: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, never>>>;

export interface ClaudeSpawn {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const PACKAGE = '@anthropic-ai/claude-agent-sdk';

/** Loads the SDK from the first place that has it. */
export async function loadClaudeSdk(from: readonly string[]): Promise<ClaudeSdk> {
  const file = locate(PACKAGE, from);
  if (file === undefined) {
    throw new RunnerError('sdk_missing', `Claude needs the package ${PACKAGE}: npm install ${PACKAGE}`);
  }
  const loaded: unknown = await import(pathToFileURL(file).href);
  if (isRecord(loaded) && typeof loaded['query'] === 'function') return loaded as unknown as ClaudeSdk;
  throw new RunnerError('sdk_missing', `${file} is not the ${PACKAGE} that this runner knows: it has no query()`);
}
