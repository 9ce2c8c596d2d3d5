import { Buffer } from 'node:buffer';
import type { Emit } from '@jeeves/protocol';
import type { ServerIdentity } from './host/initialize.ts';
import type { HostOptions } from './host/options.ts';
import type { Tool } from './host/tool.ts';
import { createTools, type ToolDependencies } from './tools/index.ts';
import type { TextService } from './tools/text/service.ts';

export interface ServerDependencies extends ToolDependencies {
  readonly identity: ServerIdentity;
}

/** Tools and host, wired; any transport can serve it. */
export interface Server {
  readonly host: HostOptions;
  readonly text: TextService;
  /** Frees what the tools hold. */
  readonly close: () => Promise<void>;
}

// Claude Code hides tools behind a search unless told otherwise, and puts results above 50,000 characters into a file.
const TOOL_META = { 'anthropic/alwaysLoad': true, 'anthropic/maxResultSizeChars': 500_000 };

export async function createServer(dependencies: ServerDependencies): Promise<Server> {
  const { config, emit, identity, now, randomBytes } = dependencies;
  const box = await createTools(dependencies);
  reportMissing(config.tools, box.tools, emit);
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
    text: box.text,
    close: () => box.close(),
  };
}

/** The contract may know more tools than this program has. */
function reportMissing(wanted: readonly string[], tools: readonly Tool[], emit: Emit): void {
  const missing = wanted.filter((name) => !tools.some(({ definition }) => definition.name === name));
  if (missing.length === 0) return;
  const message = `not served: ${missing.join(', ')}`;
  emit({ event: 'mcp_pruner.config_invalid', data: { variable: 'MCP_PRUNER_TOOLS', message } });
}
