import type { ForeignTool, ForeignTools, ToolCall, ToolOutcome } from '@jeeves/mcp-pruner/host';
import { hasFocus, takeFocus, withFocus } from '@jeeves/protocol';
import { refusalOf } from './automatic-eval.ts';
import { errorResult, outcomeOf } from './outcome.ts';
import type { ResultPruner } from './prune-result.ts';
import type { CatalogueSnapshot, JsonObject, Upstreams, UpstreamTool } from './upstream/upstream.ts';

export interface PassthroughOptions {
  readonly upstreams: Upstreams;
  readonly pruner: ResultPruner;
}

/** All upstream tools as the gateway's own, each with the goal as one more argument. */
export function createPassthrough(options: PassthroughOptions): ForeignTools {
  const { upstreams } = options;
  let known = new Map<string, UpstreamTool>();
  const take = ({ tools }: CatalogueSnapshot): void => {
    known = new Map(tools.map((tool) => [tool.displayName, tool]));
  };
  // Clients give up on a slow listing altogether; who has a short one is told when there is more.
  const wait = { patienceMs: LISTING_PATIENCE_MS };
  upstreams.onChanged(take);
  void upstreams.tools(wait).then(take);
  return {
    list: async () => {
      const snapshot = await upstreams.tools(wait);
      take(snapshot);
      return snapshot.tools.filter(({ withheld }) => !withheld).map(({ definition }) => listed(definition));
    },
    find: (name) => {
      const tool = known.get(name);
      return tool === undefined ? undefined : foreignTool(tool, options);
    },
  };
}

const LISTING_PATIENCE_MS = 2000;

function listed(definition: JsonObject): JsonObject {
  return { ...definition, inputSchema: withFocus(schemaOf(definition)) };
}

function foreignTool(tool: UpstreamTool, options: PassthroughOptions): ForeignTool {
  return { name: tool.displayName, run: (call) => run(tool, call, options) };
}

async function run(
  tool: UpstreamTool,
  { args: sent, signal, progress, client }: ToolCall<object>,
  { upstreams, pruner }: PassthroughOptions,
): Promise<ToolOutcome> {
  const { server, name, definition } = tool;
  const refusal = refusalOf(tool);
  if (refusal !== undefined) return outcomeOf(errorResult(refusal));
  const given = sent as JsonObject;
  // A tool with such an argument of its own means something else by it.
  const { goal, args } = hasFocus(schemaOf(definition)) ? { goal: undefined, args: given } : takeFocus(given);
  const result = await upstreams.call({ server, name, args, signal, progress });
  if (goal === undefined) return outcomeOf(result);
  const pruned = await pruner.prune(result, goal, { client, keepStructured: definition['outputSchema'] !== undefined });
  return outcomeOf(pruned, pruned === result ? 'raw' : 'pruned');
}

function schemaOf(definition: JsonObject): JsonObject {
  return definition['inputSchema'] as JsonObject;
}
