import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request, read to its end. */
export interface Exchange {
  /** Without the query. */
  readonly path: string;
  readonly text: string;
  readonly reply: ServerResponse;
}

export interface Listener {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves 127.0.0.1 on any free port. */
export async function listen(handle: (exchange: Exchange) => Promise<void>): Promise<Listener> {
  const server = createServer((request, reply) => {
    void read(request)
      .then((text) => handle({ path: (request.url ?? '').split('?')[0] ?? '', text, reply }))
      // A client that was killed takes its connection with it.
      .catch(() => reply.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(reply: ServerResponse, status: number, body: unknown): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Server-sent events; each carries its own name as `type`. */
export function sendEvents(reply: ServerResponse, events: readonly (readonly [string, object])[]): void {
  reply.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const [type, data] of events) reply.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  reply.end();
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
