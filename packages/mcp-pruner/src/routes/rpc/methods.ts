import {
  findTool,
  INITIALIZE_PARAMS,
  invalidParams,
  TOOLS_LIST_PARAMS,
  type ToolsListResult,
  toolInputSchema,
} from '@jeeves/protocol';
import { initializeResult, type ServerIdentity } from '../../host/initialize.ts';
import { type Checked, type CheckedCall, checkArguments, checkParams, NO_PARAMS } from '../../host/params.ts';
import type { Tool } from '../../host/tool.ts';

/** Every method that is answered at once, by name. */
export type RpcMethods = ReadonlyMap<string, (params: unknown) => Checked<object>>;

export function rpcMethods(identity: ServerIdentity, tools: readonly Tool[]): RpcMethods {
  const listing = listingOf(tools);
  return new Map([
    [
      'initialize',
      (params: unknown): Checked<object> => {
        const checked = checkParams('initialize', INITIALIZE_PARAMS, params);
        return checked.ok ? { ok: true, value: initializeResult(identity, checked.value) } : checked;
      },
    ],
    ['ping', fixed('ping', {})],
    // A notification to the letter of the protocol, yet whoever sends it with an id waits for an answer.
    ['notifications/initialized', fixed('notifications/initialized', {})],
    ['tools/list', fixed('tools/list', listing)],
    ['resources/list', fixed('resources/list', { resources: [] })],
    ['resources/templates/list', fixed('resources/templates/list', { resourceTemplates: [] })],
    ['prompts/list', fixed('prompts/list', { prompts: [] })],
  ]);
}

/** Tools that may also be called as methods of their own, their arguments being the params (seed 002 §3.2, §12). */
const DIRECT: ReadonlySet<string> = new Set(['health', 'prune_text', 'recover_text', 'recover_range']);

export function isDirect(method: string): boolean {
  return DIRECT.has(method);
}

export function checkDirectCall(method: string, params: unknown, tools: readonly Tool[]): Checked<CheckedCall> {
  const definition = findTool(
    method,
    tools.map((tool) => tool.definition),
  );
  const tool = tools.find((candidate) => candidate.definition === definition);
  if (tool === undefined) throw new Error(`${method} has no tool`);
  const parsed = checkArguments(tool, params ?? {});
  const { name } = tool.definition;
  if (parsed.success) return { ok: true, value: { tool: { name, run: (call) => tool.run(call) }, args: parsed.data } };
  return { ok: false, error: invalidParams(method, method, parsed.error) };
}

function fixed(method: string, value: object): (params: unknown) => Checked<object> {
  const schema = method.endsWith('/list') ? TOOLS_LIST_PARAMS.optional() : NO_PARAMS;
  return (params) => {
    const checked = checkParams<unknown>(method, schema, params);
    return checked.ok ? { ok: true, value } : checked;
  };
}

/** Name, description and schema, as seed 002 §4.0 shows them. */
function listingOf(tools: readonly Tool[]): ToolsListResult {
  return {
    tools: tools.map(({ definition }) => ({
      name: definition.name,
      description: definition.description,
      inputSchema: toolInputSchema(definition),
    })),
  };
}
