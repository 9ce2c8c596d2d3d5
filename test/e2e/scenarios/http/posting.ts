import { readFileSync } from 'node:fs';
import { type McpAnswer, readAnswer } from '../../../../packages/mcp-pruner/test/host/http/answer.ts';
import type { Service } from '../text/service.ts';

/** Posts a message to `/mcp` with these headers beside the media type. */
export async function postMcp(
  { port }: Pick<Service, 'port'>,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<McpAnswer> {
  const reply = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  return await readAnswer(reply);
}

export function requestOf(method: string, params?: unknown, id: string | number = 1): object {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) };
}

export function callOf(name: string, args: object, id: string | number = 1): object {
  return requestOf('tools/call', { name, arguments: args }, id);
}

/** What the ready event says. */
export function readyOf({ events }: Pick<Service, 'events'>): Readonly<Record<string, unknown>> {
  return events.find(({ event }) => event === 'mcp_pruner.ready')?.data ?? {};
}

/** The header that a service's own token makes. */
export function tokenOf(service: Pick<Service, 'events'>): { readonly authorization: string } {
  return { authorization: `Bearer ${readFileSync(String(readyOf(service)['token_file']), 'utf8').trim()}` };
}
