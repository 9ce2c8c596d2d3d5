import type { ProviderRunOptions } from '../../provider.ts';

/** What a client's process gets: what the run allows, over defaults that a user may override by setting them. */
export function clientEnvironment(
  { env }: Pick<ProviderRunOptions, 'env'>,
  defaults: Readonly<Record<string, string>>,
): Record<string, string> {
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...defaults, ...Object.fromEntries(set) };
}

const START_MS = 10_000;

/** How long a server may take to start, in milliseconds: Claude's own variable, which counts for every client here. */
export function startTimeout({ env }: Pick<ProviderRunOptions, 'env'>): number {
  const wanted = Number(env['MCP_TIMEOUT'] ?? '');
  return Number.isSafeInteger(wanted) && wanted > 0 ? wanted : START_MS;
}

/**
 * How long a client waits for a tool. A command may take 300 s and pruning its output another 25; a call must be
 * answered by the server, which returns what there is, and not be given up by the client.
 */
export const TOOL_TIMEOUT_MS = 330_000;
