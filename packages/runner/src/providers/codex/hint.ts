import { PRUNER_SERVER } from '../../mcpConfig.ts';
import type { ProviderRunOptions } from '../../provider.ts';

/**
 * Most models of Codex's catalogue are not shown the tools of MCP servers, only told how to look for them; some are not
 * even told that there is a server. So the prompt says it.
 */
export function withHint(prompt: string, { mcpServers = {} }: Pick<ProviderRunOptions, 'mcpServers'>): string {
  return PRUNER_SERVER in mcpServers ? `${prompt}\n\n${HINT}` : prompt;
}

const HINT = [
  `The MCP server "${PRUNER_SERVER}" is connected. Prefer its tools read, bash and grep (mcp__${PRUNER_SERVER}__*) for`,
  'long files, builds, tests and logs, and give them a focus question: what you need, as one specific question. Where they',
  'are not listed, find them with tool_search or in ALL_TOOLS.',
].join(' ');
