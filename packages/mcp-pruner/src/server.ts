import { Buffer } from 'node:buffer';
import { DEFAULT_TOOLS, type Emit } from '@jeeves/protocol';
import type { Config } from './config.ts';
import type { ServerIdentity } from './host/initialize.ts';
import type { HostOptions } from './host/options.ts';
import { createTools } from './tools/index.ts';

export interface ServerDependencies {
  readonly config: Config;
  readonly emit: Emit;
  readonly identity: ServerIdentity;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly fetch: typeof globalThis.fetch;
}

/** Tools and host, wired; any transport can serve it. */
export interface Server {
  readonly host: HostOptions;
  /** Frees what the tools hold. */
  readonly close: () => Promise<void>;
}

// Claude Code hides tools behind a search unless told otherwise, and puts results above 50,000 characters into a file.
const TOOL_META = { 'anthropic/alwaysLoad': true, 'anthropic/maxResultSizeChars': 500_000 };

export async function createServer(dependencies: ServerDependencies): Promise<Server> {
  const { config, emit, identity, now, randomBytes } = dependencies;
  reportMissing(config.tools, emit);
  const box = await createTools(dependencies);
  return {
    host: {
      server: identity,
      tools: box.tools.filter(({ definition }) => config.tools.includes(definition.name)),
      toolMeta: TOOL_META,
      output: config.output,
      emit,
      now,
      newRequestId: () => `req_${Buffer.from(randomBytes(12)).toString('hex')}`,
    },
    close: () => box.close(),
  };
}

/** The contract knows more tools than are served over stdio. */
function reportMissing(wanted: readonly string[], emit: Emit): void {
  const missing = wanted.filter((name) => !DEFAULT_TOOLS.some((tool) => tool.name === name));
  if (missing.length === 0) return;
  const message = `not served over stdio: ${missing.join(', ')}`;
  emit({ event: 'mcp_pruner.config_invalid', data: { variable: 'MCP_PRUNER_TOOLS', message } });
}
