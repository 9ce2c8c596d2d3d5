import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Emit } from '@jeeves/protocol';
import { within } from '../waiting.ts';
import { answerBrokenRequests } from './broken.ts';
import { createConnections } from './connections.ts';
import type { Exchange } from './exchange.ts';
import { createGuard, type GuardOptions, MAX_HEADERS } from './guard.ts';
import { HTTP_LIMITS, type HttpLimits } from './limits.ts';
import type { Owners } from './owners.ts';
import { createPlaces } from './places.ts';
import { createReception } from './reception.ts';
import type { Route } from './route.ts';
import { createTraffic, type Traffic } from './traffic.ts';

export interface HttpListenerOptions {
  readonly routes: readonly Route[];
  readonly guard: Omit<GuardOptions, 'maxBodyBytes' | 'sameUserRequired'>;
  /** Given: callers without the token must be of the same user. */
  readonly owners?: Owners | undefined;
  readonly limits?: Partial<HttpLimits>;
  readonly emit: Emit;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told of every request that no route saw, with the path where there is such a route. */
  readonly refused?: (path: string | undefined, status: number) => void;
}

/** How long an end may take. */
export interface StopTimes {
  readonly drainMs: number;
  readonly abortMs: number;
  /** Ends the drain when it comes true. */
  readonly sooner?: Promise<void>;
}

/** What a listener is busy with, and what it has seen so far. */
export interface HttpLoad {
  readonly running: number;
  readonly waiting: number;
  readonly connections: number;
  readonly requests: number;
  /** Requests that were told 503. */
  readonly shed: number;
}

export interface HttpListener {
  /** Resolves with the address once requests are taken; rejects with a message that says what to change. */
  readonly listen: (host: string, port: number) => Promise<{ readonly host: string; readonly port: number }>;
  /**
   * Takes no more requests, gives those under way `drainMs` to finish, aborts the rest and waits for them at most
   * `abortMs`. Tells whether all of them came to an end.
   */
  readonly stop: (times: StopTimes) => Promise<boolean>;
  readonly load: () => HttpLoad;
}

/** Serves routes over HTTP. Nothing reaches one of them that the guard did not let through. */
export function createHttpListener(options: HttpListenerOptions): HttpListener {
  const limits: HttpLimits = { ...HTTP_LIMITS, ...options.limits };
  const { owners } = options;
  const sameUserRequired = owners !== undefined;
  const guard = createGuard({ ...options.guard, sameUserRequired, maxBodyBytes: limits.maxBodyBytes }, options.routes);
  const paths = new Set(options.routes.map(({ path }) => path));
  let accepted = 0;
  const places = createPlaces(limits, () => accepted);
  const traffic = createTraffic();
  const { receive, receiveAsked } = createReception({
    guard,
    owners,
    places,
    traffic,
    limits,
    emit: options.emit,
    now: options.now,
    refused: (path, status) => options.refused?.(paths.has(path) ? path : undefined, status),
  });
  const server = createNodeServer(limits, traffic, options.emit);
  const busy = (): ReadonlySet<Socket> => new Set([...traffic.exchanges].map(({ request }) => request.socket));
  const connections = createConnections(limits, busy, options.now);
  server.on('connection', (socket) => {
    accepted += 1;
    connections.admit(socket);
  });
  server.on('request', (request, response) => {
    connections.used(request.socket);
    receive(request, response);
  });
  server.on('checkContinue', receiveAsked);
  server.on('checkExpectation', receive);
  return {
    listen: (host, port) => listen(server, host, port),
    stop: (times) => stop(server, traffic, times),
    load: () => ({ ...places.load(), ...traffic.seen }),
  };
}

function createNodeServer(limits: HttpLimits, { seen, exchanges }: Traffic, emit: Emit): Server {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    // How often those times are looked at.
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    // The guard has an answer of its own to that.
    requireHostHeader: false,
  });
  server.maxHeadersCount = MAX_HEADERS + 1;
  server.on('connection', (socket) => {
    seen.connections += 1;
    socket.once('close', () => {
      seen.connections -= 1;
    });
  });
  const under = (socket: Duplex): Exchange | undefined => {
    return [...exchanges].find(({ response }) => response.socket === socket);
  };
  answerBrokenRequests(server, {
    isAnswering: (socket) => under(socket)?.response.headersSent === true,
    answered: (status, socket, request) => {
      const exchange = under(socket);
      // One that broke off in its body is logged when it is over, with this status.
      if (exchange !== undefined) exchange.response.statusCode = status;
      else emit({ event: 'http.request', data: { method: request?.method, status, duration_ms: 0 } });
    },
  });
  return server;
}

function listen(server: Server, host: string, port: number): Promise<{ host: string; port: number }> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => reject(new Error(listenProblem(cause, host, port), { cause }));
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      // Trouble with one connection is not the listener's.
      server.on('error', () => undefined);
      resolve({ host, port: (server.address() as AddressInfo).port });
    });
  });
}

function listenProblem({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (code === 'EADDRINUSE') return `port_in_use: ${address} is taken by another process; port 0 finds a free one`;
  if (code === 'EACCES') return `invalid_port: this user may not listen on ${address}`;
  return `invalid_host: nobody can listen on ${address} (${code ?? message})`;
}

async function stop(server: Server, traffic: Traffic, { drainMs, abortMs, sooner }: StopTimes): Promise<boolean> {
  traffic.close();
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  await within(drainMs, Promise.race(sooner === undefined ? [traffic.settled()] : [traffic.settled(), sooner]));
  traffic.abort();
  const ended = await within(abortMs, traffic.settled());
  server.closeAllConnections();
  await closed;
  return ended;
}
