import type { Tool, ToolOutcome } from '@jeeves/mcp-pruner/host';
import type { AutomaticMcpResult } from '@jeeves/protocol';
import { hashOf } from '../../src/safety/hash.ts';
import type { CounterName, Counters } from '../../src/stats/counters.ts';
import type { CatalogueSnapshot, JsonObject, Upstreams, UpstreamTool } from '../../src/upstream/upstream.ts';

/** A tool as the upstreams hand it out. */
export function upstreamTool(server: string, name: string, definition: JsonObject = {}): UpstreamTool {
  const displayName = `${server}__${name}`;
  const shown = { inputSchema: { type: 'object' }, ...definition, name: displayName };
  return {
    server,
    name,
    displayName,
    definition: shown,
    hash: hashOf(shown),
    changed: false,
    changes: [],
    withheld: false,
    needsConsent: false,
    tags: [],
  };
}

export function snapshotOf(tools: readonly UpstreamTool[], version = 1): CatalogueSnapshot {
  return { tools, etag: hashOf(tools.map(({ hash }) => hash)), version };
}

/** Upstreams of which nothing runs: only their definitions are looked at. */
export function definitionsOf(
  current: () => readonly UpstreamTool[],
): Pick<Upstreams, 'tools' | 'refreshed' | 'status'> {
  const tools = async (): Promise<CatalogueSnapshot> => await Promise.resolve(snapshotOf(current()));
  return { tools, refreshed: tools, status: () => [] };
}

export function countingCounters(): Counters & { readonly counted: Partial<Record<CounterName, number>> } {
  const counted: Partial<Record<CounterName, number>> = {};
  return {
    counted,
    add: (name, by = 1) => {
      counted[name] = (counted[name] ?? 0) + by;
    },
  };
}

/** Calls a tool as the host does, arguments checked and defaults filled in. */
export async function callTool(tool: Tool, args: object): Promise<ToolOutcome> {
  return await tool.run({
    args: tool.definition.input.parse(args),
    requestId: 'req_1',
    client: { name: 'test', version: '1' },
    signal: new AbortController().signal,
    receivedAt: 0,
    emit: () => undefined,
    progress: () => undefined,
  });
}

export function textOf(outcome: ToolOutcome): string {
  const { content } = outcome.result as { readonly content: readonly { readonly text: string }[] };
  return content[0]?.text ?? '';
}

export function answerOf(outcome: ToolOutcome): AutomaticMcpResult {
  return JSON.parse(textOf(outcome)) as AutomaticMcpResult;
}
