import { INITIALIZE_PARAMS, TOOLS_LIST_PARAMS, type ToolsListResult, toolInputSchema } from '@jeeves/protocol';
import { clientOf, initializeResult } from './initialize.ts';
import type { HostOptions } from './options.ts';
import { type Checked, checkParams, NO_PARAMS } from './params.ts';
import type { Client, ForeignTools } from './tool.ts';

/** What a method does with its params. */
export type Method = (params: unknown) => Checked<object> | Promise<Checked<object>>;

/** Everything but `tools/call`; answered at once, where no foreign tools must be asked for. */
export function methodsOf(options: HostOptions, introduce: (client: Client) => void): ReadonlyMap<string, Method> {
  const initialize: Method = (params) => {
    const checked = checkParams('initialize', INITIALIZE_PARAMS, params);
    if (!checked.ok) return checked;
    introduce(clientOf(checked.value));
    return { ok: true, value: initializeResult(options.server, checked.value) };
  };
  return new Map<string, Method>([
    ['initialize', initialize],
    acknowledged('ping'),
    // A notification to the letter of the protocol, yet whoever sends it with an id waits for an answer.
    acknowledged('notifications/initialized'),
    listed('tools/list', () => {
      const listing = toolListing(options);
      return options.foreign === undefined ? listing : withForeign(listing, options.foreign);
    }),
    listed('resources/list', () => ({ resources: [] })),
    listed('resources/templates/list', () => ({ resourceTemplates: [] })),
    listed('prompts/list', () => ({ prompts: [] })),
  ]);
}

function acknowledged(method: string): [string, Method] {
  return [method, (params) => emptyWhere(checkParams(method, NO_PARAMS, params))];
}

function listed(method: string, result: () => object | Promise<object>): [string, Method] {
  const run: Method = (params) => {
    const checked = checkParams(method, TOOLS_LIST_PARAMS.optional(), params);
    if (!checked.ok) return checked;
    const value = result();
    return value instanceof Promise ? value.then((later) => ({ ok: true, value: later })) : { ok: true, value };
  };
  return [method, run];
}

async function withForeign({ tools }: ToolsListResult, foreign: ForeignTools): Promise<object> {
  return { tools: [...tools, ...(await foreign.list())] };
}

function emptyWhere(checked: Checked<unknown>): Checked<object> {
  return checked.ok ? { ok: true, value: {} } : checked;
}

// A transport that makes a dispatcher for every request does not pay for the schemas every time.
const LISTINGS = new WeakMap<HostOptions, ToolsListResult>();

function toolListing(options: HostOptions): ToolsListResult {
  const known = LISTINGS.get(options);
  if (known !== undefined) return known;
  const made = listTools(options);
  LISTINGS.set(options, made);
  return made;
}

function listTools({ tools, toolMeta }: HostOptions): ToolsListResult {
  return {
    tools: tools.map(({ definition }) => ({
      name: definition.name,
      title: definition.title,
      description: definition.description,
      inputSchema: toolInputSchema(definition),
      annotations: { ...definition.annotations },
      ...(toolMeta !== undefined && { _meta: toolMeta }),
    })),
  };
}
