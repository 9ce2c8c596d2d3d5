import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpTarget } from '../config/server.ts';
import { capped } from './capped.ts';
import { isDeeper } from './definitions.ts';
import { messageOf } from './failure.ts';
import type { JsonObject } from './upstream.ts';
import { MAX_DEPTH, type OpenWire, type WireEvents } from './wire.ts';

export interface HttpOptions {
  readonly target: HttpTarget;
  readonly maxMessageBytes: number;
  readonly fetch: typeof globalThis.fetch;
}

const GOODBYE_MS = 500;
const MAX_REASON_LENGTH = 300;

/**
 * Speaks Streamable HTTP. Credentials are the headers of its own configuration; a redirect to another origin is not
 * followed, so that they go nowhere else.
 */
export function httpWire({ target, maxMessageBytes, fetch }: HttpOptions): OpenWire {
  return async (events) => {
    // Most gateways have no such server and never load this.
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const transport = new StreamableHTTPClientTransport(new URL(target.url), {
      requestInit: { headers: { ...target.headers } },
      fetch: async (url, init) => capped(await fetch(url, init), maxMessageBytes),
    });
    let over = false;
    const end = (why: string): void => {
      if (!over) events.closed(why);
      over = true;
    };
    const onmessage = (message: JsonObject): void => {
      if (!isDeeper(message, MAX_DEPTH)) return events.message(message);
      events.unreadable(`sent a message that is nested more than ${MAX_DEPTH} deep`);
    };
    Object.assign(transport, { onmessage, onclose: () => end('the session is over') });
    await transport.start();
    return {
      send: async (message) => {
        try {
          await transport.send(message as Parameters<typeof transport.send>[0], streamEnd(message, events));
        } catch (error) {
          if (isFatal(error)) end(reasonOf(error));
          throw new Error(reasonOf(error), { cause: error });
        }
      },
      agreed: (version) => transport.setProtocolVersion(version),
      close: async () => {
        over = true;
        const goodbye = transport.terminateSession().catch(() => undefined);
        await Promise.race([goodbye, sleep(GOODBYE_MS)]);
        await transport.close();
      },
    };
  };
}

/** A stream that ends without the answer would leave its request waiting for the time limit. */
function streamEnd({ id }: JsonObject, events: WireEvents): { onRequestStreamEnd?: () => void } {
  if (id === undefined) return {};
  const error = { message: 'the answer ended before it was complete' };
  return { onRequestStreamEnd: () => events.message({ jsonrpc: '2.0', id, error }) };
}

/** The server is out of reach, or does not know the session any more: another one is needed. */
function isFatal(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status === 404 || status >= 500;
}

function statusOf(error: unknown): number | undefined {
  const status: unknown = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

function reasonOf(error: unknown): string {
  const status = statusOf(error);
  if (status === 401 || status === 403)
    return `answered ${status}: its headers in the configuration lack a valid credential`;
  if (status !== undefined) return `answered with HTTP status ${status}`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `cannot be reached: ${messageOf(cause).slice(0, MAX_REASON_LENGTH)}`;
}
