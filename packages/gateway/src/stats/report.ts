import { estimateTokens } from '@jeeves/engine';
import type { ServerConfig } from '../config/server.ts';
import { hidingTools, toTools } from '../upstream/definitions.ts';
import type { StateStore } from '../upstream/state.ts';
import type { UpstreamTool } from '../upstream/upstream.ts';
import { type CallsByServer, NO_CALLS, type ServerCalls } from './calls.ts';
import type { Counts } from './counters.ts';

/** What the gateway was worth so far. Tokens are estimated. */
export interface StatsReport extends Counts {
  /** What was not sent of the upstreams' definitions, less what was sent of our own; negative when it did not pay. */
  readonly definitionTokensSaved: number;
  /** Round trips that direct use would not have needed. */
  readonly extraRoundTrips: number;
  readonly servers: readonly ServerReport[];
}

/** What one server's definitions cost whoever is given all of them, and how its calls went. */
export interface ServerReport extends Omit<ServerCalls, 'milliseconds'> {
  /** Of a call, on average; 0 without one. */
  readonly meanMilliseconds: number;
  readonly server: string;
  readonly tools: number;
  readonly definitionTokens: number;
  /** Tools whose definition is not the one that was first seen. */
  readonly changed: readonly string[];
  /** Tools that had hidden characters in their prose; agents get them without. */
  readonly cleaned: readonly string[];
}

export function reportOf(counts: Counts, servers: readonly ServerReport[]): StatsReport {
  const { definitionTokensBefore, ownDefinitionTokens, definitionTokensSent, catalogueCalls } = counts;
  return {
    definitionTokensSaved: definitionTokensBefore - ownDefinitionTokens - definitionTokensSent,
    extraRoundTrips: catalogueCalls,
    ...counts,
    servers,
  };
}

/** From what is remembered: nothing is started. A server that was never listed is not in it. */
export async function serverReports(
  servers: readonly ServerConfig[],
  state: StateStore,
  calls: CallsByServer = {},
): Promise<ServerReport[]> {
  const reports: ServerReport[] = [];
  for (const config of servers) {
    const remembered = await state.read(config);
    if (remembered === undefined) continue;
    const tools = toTools(config, remembered.listed, remembered.pins);
    const changed = tools.filter((tool) => tool.changed).map(({ name }) => name);
    const cleaned = hidingTools(config, remembered.listed);
    const facts = { tools: tools.length, definitionTokens: definitionTokens(tools) };
    reports.push({ server: config.name, ...facts, ...callsOf(calls[config.name] ?? NO_CALLS), changed, cleaned });
  }
  return reports;
}

function callsOf({ calls, errors, milliseconds, slowest }: ServerCalls) {
  return { calls, errors, meanMilliseconds: Math.round(milliseconds / Math.max(1, calls)), slowest };
}

/** As they would stand in a prompt. */
export function definitionTokens(tools: readonly UpstreamTool[]): number {
  return tools.reduce((total, { definition }) => total + estimateTokens(JSON.stringify(definition)), 0);
}
