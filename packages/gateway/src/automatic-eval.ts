import type { Tool, ToolCall, ToolOutcome } from '@jeeves/mcp-pruner/host';
import { AUTOMATIC_EVAL, type AutomaticEvalArgs, type AutomaticEvalError, focusOf } from '@jeeves/protocol';
import { closestNames, findUpstreamTool } from './catalogue/names.ts';
import { forAgents } from './catalogue/reply.ts';
import { errorResult, outcomeOf, withNotes } from './outcome.ts';
import type { ResultPruner } from './prune-result.ts';
import type { Counters } from './stats/counters.ts';
import type { JsonObject, Upstreams, UpstreamTool } from './upstream/upstream.ts';
import { type Coerced, coerceArguments } from './validate/coerce.ts';
import type { ArgumentValidator, Checked } from './validate/validator.ts';

export interface AutomaticEvalOptions {
  readonly upstreams: Pick<Upstreams, 'known' | 'listedFor' | 'tools' | 'serverOf' | 'call'>;
  readonly validator: ArgumentValidator;
  readonly pruner: ResultPruner;
  readonly counters: Counters;
}

/** `automatic_eval`: calls an upstream's tool, after a look at the arguments. */
export function createAutomaticEval(options: AutomaticEvalOptions): Tool<AutomaticEvalArgs> {
  return { definition: AUTOMATIC_EVAL, run: (call) => run(call, options) };
}

async function run(call: ToolCall<AutomaticEvalArgs>, options: AutomaticEvalOptions): Promise<ToolOutcome> {
  const { routingKey } = call.args;
  const goal = focusOf(call.args);
  const tool = await find(call, options);
  if ('text' in tool) return tool;
  const refusal = refusalOf(tool);
  if (refusal !== undefined) return failed(refusal);
  const checked = check(tool, call.args.arguments, options.validator);
  if (checked.kind === 'unusable') return failed(`the input schema of ${tool.displayName} is unusable: ${checked.why}`);
  if (checked.kind === 'invalid') return invalid(tool, checked.why, options.counters);
  const { args, notes } = checked;
  const { signal, progress, client } = call;
  const { server, name } = tool;
  const answer = await options.upstreams.call({ server, name, args, routingKey, signal, progress });
  const result = withNotes(answer, notes);
  if (goal === undefined) return outcomeOf(result);
  const pruned = await options.pruner.prune(result, goal, { client });
  return outcomeOf(pruned, pruned === result ? 'raw' : 'pruned');
}

type CheckedArguments = Exclude<Checked, { kind: 'valid' }> | ({ readonly kind: 'valid' } & Coerced);

/** Arguments that only break the schema in how they are written are called with as they are meant. */
function check({ definition }: UpstreamTool, args: JsonObject, validator: ArgumentValidator): CheckedArguments {
  const checked = validator.check(definition, args);
  if (checked.kind === 'valid') return { ...checked, args, notes: [] };
  if (checked.kind === 'unusable') return checked;
  const coerced = coerceArguments(definition['inputSchema'], args);
  if (coerced.notes.length === 0) return checked;
  const again = validator.check(definition, coerced.args);
  return again.kind === 'valid' ? { ...again, ...coerced } : checked;
}

/** A tool that is known is found at once, whatever other servers are doing. */
async function find(
  { args: { toolName }, signal }: ToolCall<AutomaticEvalArgs>,
  { upstreams, counters }: AutomaticEvalOptions,
): Promise<UpstreamTool | ToolOutcome> {
  const known = async (): Promise<UpstreamTool | undefined> =>
    (await upstreams.known()).tools.find(({ displayName }) => displayName === toolName);
  const found = await known();
  if (found !== undefined) return found;
  const why = await upstreams.listedFor(toolName, signal);
  if (why !== undefined) return failed(`error: ${why}`);
  const listed = await known();
  if (listed !== undefined) return listed;
  // Nobody knows which server would have such a tool, so those that are starting get a moment only.
  const { tools } = await upstreams.tools({ patienceMs: UNKNOWN_PATIENCE_MS, signal });
  // Who names a server means that one: a tool of another must not answer in its place.
  const server = upstreams.serverOf(toolName);
  const possible = server === undefined ? tools : tools.filter((tool) => tool.server === server);
  return findUpstreamTool(possible, toolName) ?? unknown(possible, toolName, counters);
}

/** Why a tool may not be called now, however it is called. */
export function refusalOf(tool: UpstreamTool): string | undefined {
  if (tool.withheld) return withheldText(tool);
  if (!tool.needsConsent) return undefined;
  return `error: ${tool.displayName} may only be called with consent ("ask"), and nobody can be asked through this connection; its owner can name it in "alwaysAllow" of the server "${tool.server}"`;
}

function withheldText({ displayName, server }: Pick<UpstreamTool, 'displayName' | 'server'>): string {
  return `error: ${displayName} changed since it was first seen and is withheld until its owner accepts it with: jeeves gateway approve ${server}`;
}

const UNKNOWN_PATIENCE_MS = 2000;

/** The definition comes along as `automatic_mcp` gives it, so that the next attempt needs no other call. */
function invalid({ definition }: UpstreamTool, why: string, counters: Counters): ToolOutcome {
  counters.add('validationErrors');
  const error: AutomaticEvalError = { error: `invalid tool arguments: ${why}`, toolSchema: forAgents(definition) };
  return failed(JSON.stringify(error));
}

function unknown(tools: readonly UpstreamTool[], name: string, counters: Counters): ToolOutcome {
  counters.add('unknownTools');
  const closest = closestNames(tools, name);
  const hint =
    closest.length === 0 ? 'ask automatic_mcp which tools there are' : `the closest are ${closest.join(', ')}`;
  return failed(`unknown tool ${JSON.stringify(name)}: ${hint}`);
}

function failed(text: string): ToolOutcome {
  return outcomeOf(errorResult(text));
}
