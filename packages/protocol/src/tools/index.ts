import { AUTOMATIC_EVAL, AUTOMATIC_MCP } from './catalogue.ts';
import {
  CONTEXT_ANALYZE_USAGE,
  CONTEXT_CREATE_TASK_SNAPSHOT,
  CONTEXT_GC_ANALYZE,
  CONTEXT_GC_PIN,
  CONTEXT_GC_PRUNE,
  CONTEXT_GC_UNPIN,
  CONTEXT_GET_TASK_CONTEXT,
  CONTEXT_GET_WORKING_SET,
  CONTEXT_LIST_PROJECTS,
  CONTEXT_RETRIEVE_STASHED,
  CONTEXT_SEARCH_STASHED,
  CONTEXT_SET_CURRENT_TASK,
  CONTEXT_STASH,
} from './context.ts';
import type { ToolDefinition, ToolSet } from './definition.ts';
import { BASH, GREP, READ } from './files.ts';
import { HEALTH, PRUNE_TEXT, RECOVER_TEXT, RPC_RECOVER_TEXT } from './text.ts';

/** Every tool, in the order it is listed. */
export const TOOLS: readonly ToolDefinition[] = [
  READ,
  BASH,
  GREP,
  PRUNE_TEXT,
  RECOVER_TEXT,
  HEALTH,
  CONTEXT_ANALYZE_USAGE,
  CONTEXT_GET_WORKING_SET,
  CONTEXT_GC_ANALYZE,
  CONTEXT_GC_PRUNE,
  CONTEXT_GC_PIN,
  CONTEXT_GC_UNPIN,
  CONTEXT_STASH,
  CONTEXT_SEARCH_STASHED,
  CONTEXT_RETRIEVE_STASHED,
  CONTEXT_LIST_PROJECTS,
  CONTEXT_SET_CURRENT_TASK,
  CONTEXT_GET_TASK_CONTEXT,
  CONTEXT_CREATE_TASK_SNAPSHOT,
  AUTOMATIC_MCP,
  AUTOMATIC_EVAL,
];

/** The sets by name. */
export const TOOL_SETS: Readonly<Record<ToolSet, readonly ToolDefinition[]>> = {
  files: toolsOf('files'),
  text: toolsOf('text'),
  context: toolsOf('context'),
  catalogue: toolsOf('catalogue'),
};

/** What `mcp-pruner` offers over stdio when nothing else is asked for: what it prunes must be recoverable. */
export const DEFAULT_TOOLS: readonly ToolDefinition[] = [READ, BASH, GREP, RECOVER_TEXT];

/** What `POST /rpc` offers, with the schemas of seed 002 §4.0. */
export const RPC_TOOLS: readonly ToolDefinition[] = [PRUNE_TEXT, RPC_RECOVER_TEXT, HEALTH];

/** Other names a call may use. They are never listed: some model APIs refuse a dot in a tool's name. */
export const TOOL_ALIASES: Readonly<Record<string, string>> = {
  recover_range: 'recover_text',
  'mcpv.automatic_mcp': 'automatic_mcp',
  'mcpv.automatic_eval': 'automatic_eval',
};

/** The tool a call names, among those on offer; aliases count. */
export function findTool(name: string, offered: readonly ToolDefinition[]): ToolDefinition | undefined {
  const wanted = Object.hasOwn(TOOL_ALIASES, name) ? TOOL_ALIASES[name] : name;
  return offered.find((tool) => tool.name === wanted);
}

function toolsOf(set: ToolSet): readonly ToolDefinition[] {
  return TOOLS.filter((tool) => tool.set === set);
}
