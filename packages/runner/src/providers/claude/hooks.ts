import type { Servers } from '../client/servers.ts';
import { toolName } from './messages.ts';
import type { ClaudeHook, ClaudeRunOptions } from './sdk.ts';

export interface ClaudeHooks {
  readonly hooks: ClaudeRunOptions['hooks'];
  readonly durationOf: (toolUseId: string) => number | undefined;
  /** A call whose result is known, whether hooks saw it end or not: one that is not permitted only begins. */
  readonly settled: (toolUseId: string) => void;
  /** Resolves when no server is busy with a call. */
  readonly idle: () => Promise<void>;
}

/**
 * Hooks run before the model hears of a result, which makes them the place to find out that a server died: Claude goes
 * on calling it connected, and starts it again at the next call without a word.
 */
export function createClaudeHooks(servers: Servers, withdrawn: () => Promise<void>): ClaudeHooks {
  const durations = new Map<string, number>();
  const busy = new Set<string>();
  let wake: (() => void)[] = [];

  function settled(id: string): void {
    busy.delete(id);
    if (busy.size > 0) return;
    for (const resolve of wake) resolve();
    wake = [];
  }

  const before: ClaudeHook = async ({ tool_use_id: id, tool_name: name }) => {
    if (serverOf(String(name)) !== undefined) busy.add(String(id));
    return {};
  };

  const after: ClaudeHook = async ({ tool_use_id: id, duration_ms: duration, tool_name: name, error }) => {
    if (typeof duration === 'number') durations.set(String(id), duration);
    const server = serverOf(String(name));
    if (server === undefined) return {};
    settled(String(id));
    servers.look();
    if (typeof error === 'string' && error.includes('Connection closed')) servers.died(server, error);
    // What is taken away must be gone before the next request to the model.
    await withdrawn();
    return {};
  };

  return {
    hooks: {
      PreToolUse: [{ hooks: [before] }],
      PostToolUse: [{ hooks: [after] }],
      PostToolUseFailure: [{ hooks: [after] }],
    },
    durationOf: (toolUseId) => durations.get(toolUseId),
    settled,
    idle: () => (busy.size === 0 ? Promise.resolve() : new Promise((resolve) => wake.push(resolve))),
  };
}

function serverOf(name: string): string | undefined {
  const shared = toolName(name);
  return shared.startsWith('mcp:') ? shared.slice('mcp:'.length, shared.indexOf('/')) : undefined;
}
