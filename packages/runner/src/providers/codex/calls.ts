import type { ProviderEvent } from '@jeeves/protocol';
import { answerOf, type CodexItem, callOf, errorOf } from './items.ts';

/** News of an MCP server that the end of a call carries. */
export interface CodexServerNews {
  readonly server: string;
  /** Absent when the server answered. */
  readonly error?: string;
}

export interface CodexCalls {
  /** Says once that a call has begun, however often Codex does. */
  readonly start: (item: CodexItem) => ProviderEvent[];
  readonly complete: (item: CodexItem) => ProviderEvent[];
  /** How many came to an end. */
  readonly count: () => number;
}

export interface CodexCallsOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onServer: (news: CodexServerNews) => void;
}

/** Keeps track of calls from their beginning to their end. Items that are none say nothing here. */
export function createCodexCalls({ now, onServer }: CodexCallsOptions): CodexCalls {
  const started = new Map<string, number>();
  let count = 0;
  const timestamp = (): string => new Date(now()).toISOString();

  function start(item: CodexItem): ProviderEvent[] {
    const id = String(item['id']);
    const call = callOf(item);
    if (call === undefined || started.has(id)) return [];
    started.set(id, now());
    return [{ type: 'tool_use', ...call, id, timestamp: timestamp() }];
  }

  function complete(item: CodexItem): ProviderEvent[] {
    if (callOf(item) === undefined) return [];
    const toolUseId = String(item['id']);
    const uses = start(item);
    count += 1;
    if (item['type'] === 'mcp_tool_call') onServer(newsOf(item));
    const durationMs = now() - (started.get(toolUseId) ?? now());
    return [...uses, { type: 'tool_result', toolUseId, ...answerOf(item), durationMs, timestamp: timestamp() }];
  }

  return { start, complete, count: () => count };
}

function newsOf(item: CodexItem): CodexServerNews {
  const server = String(item['server']);
  const error = errorOf(item);
  return error === undefined ? { server } : { server, error };
}
