import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { EngineError } from '../../src/errors.ts';

const MIB = 1024 * 1024;
const DRIP_MS = 20;
// No resolver is asked for a label this long, so the failure is certain and nothing leaves the machine.
const UNRESOLVABLE = `${'x'.repeat(70)}.invalid`;

export interface Fault {
  readonly name: string;
  /** The engine's error code for it. */
  readonly code: 'http_error' | 'timeout' | 'invalid_response';
  readonly status?: number;
}

export interface CapturedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface FaultServer {
  /** The address that shows the named fault; `ok` answers with what `reply` returns. */
  url(name: string): string;
  /** What `ok` answers, from the request's parsed body. It returns the sent code unpruned until set. */
  reply: (body: unknown) => unknown;
  /** Every request that arrived whole, oldest first. */
  readonly requests: CapturedRequest[];
  /** Connections that carried a request and are still open; fetch may keep one more, unused, for some seconds. */
  openExchanges(): number;
  close(): Promise<void>;
}

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

const STATUSES = [301, 307, 400, 401, 403, 404, 413, 429, 500, 503] as const;

/** Every fault of a remote service that the product must survive, and what it is called. */
export const FAULTS: readonly Fault[] = [
  { name: 'refuse', code: 'http_error' },
  { name: 'dns', code: 'http_error' },
  { name: 'tls-to-plain-port', code: 'http_error' },
  { name: 'reset-before-headers', code: 'http_error' },
  { name: 'reset-after-headers', code: 'http_error' },
  { name: 'close-without-answer', code: 'http_error' },
  { name: 'not-http', code: 'http_error' },
  { name: 'no-answer', code: 'timeout' },
  { name: 'continue-only', code: 'http_error' },
  { name: 'header-drip', code: 'timeout' },
  { name: 'body-drip', code: 'timeout' },
  { name: 'stalled-body', code: 'timeout' },
  { name: 'half-body', code: 'http_error' },
  { name: 'half-chunked-body', code: 'http_error' },
  { name: 'length-too-long', code: 'http_error' },
  { name: 'length-too-short', code: 'invalid_response', status: 200 },
  ...STATUSES.map((status): Fault => ({ name: `status-${status}`, code: 'http_error', status })),
  { name: 'status-204', code: 'invalid_response', status: 204 },
  { name: 'html', code: 'invalid_response', status: 200 },
  { name: 'empty', code: 'invalid_response', status: 200 },
  { name: 'cut-json', code: 'invalid_response', status: 200 },
  { name: 'null', code: 'invalid_response' },
  { name: 'array', code: 'invalid_response' },
  { name: 'number', code: 'invalid_response' },
  { name: 'number-field', code: 'invalid_response' },
  { name: 'wrong-field', code: 'invalid_response' },
  { name: 'bad-utf8', code: 'invalid_response', status: 200 },
  { name: 'gzip-bomb', code: 'invalid_response', status: 200 },
  { name: 'unlabelled-gzip', code: 'invalid_response', status: 200 },
  { name: 'body-of-64-mb', code: 'invalid_response', status: 200 },
  { name: 'chunked-flood', code: 'invalid_response', status: 200 },
];

/** A real HTTP server on loopback that misbehaves in the way its path names. */
export async function startFaultServer(): Promise<FaultServer> {
  const requests: CapturedRequest[] = [];
  const sockets = new Set<Socket>();
  const closedPort = await findClosedPort();
  const exchanges = new Set<Socket>();
  const server = createServer((request, response) => {
    exchanges.add(request.socket);
    void handle(fault, request, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      exchanges.delete(socket);
    });
    // The client has hung up; without this the server would keep its half open as long as a reply is due.
    socket.on('end', () => socket.destroy());
    // The client ends most of these exchanges rudely; that is the point.
    socket.on('error', () => {});
  });
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  // Made before anybody measures how long an answer takes.
  gzipBomb();
  const port = await listen(server);
  const fault: FaultServer = {
    url: (name) => addressOf(name, { port, closedPort }),
    reply: (body) => ({ pruned_code: (body as { code?: unknown }).code }),
    requests,
    openExchanges: () => exchanges.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fault;
}

/** The error that work ends in; fails when it ends in none, or in one that is not the engine's. */
export async function failure(work: Promise<unknown>): Promise<EngineError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof EngineError)) throw new Error('expected an EngineError', { cause: error });
  return error;
}

function addressOf(name: string, ports: { port: number; closedPort: number }): string {
  if (name === 'refuse') return `http://127.0.0.1:${ports.closedPort}/prune`;
  if (name === 'dns') return `http://${UNRESOLVABLE}/prune`;
  const scheme = name === 'tls-to-plain-port' ? 'https' : 'http';
  return `${scheme}://127.0.0.1:${ports.port}/${name}`;
}

async function handle(fault: FaultServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = (request.url ?? '/').slice(1);
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    fault.requests.push({ path: name, headers: request.headers, body });
    if (name === 'ok' || name === 'ok-then-close') answerOk(fault.reply(JSON.parse(body)), response, name);
    else (BEHAVIOURS[name] ?? unknownFault)(request, response);
  } catch {
    request.socket.destroy();
  }
}

/** `ok-then-close` promises to keep the connection and drops it, as a restarting service does. */
function answerOk(reply: unknown, response: ServerResponse, name: string): void {
  const text = JSON.stringify(reply);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text, () => {
    if (name === 'ok-then-close') response.socket?.destroy();
  });
}

function unknownFault(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(418).end();
}

const JSON_TEXT = JSON.stringify({ pruned_code: 'one\ntwo\n', scores: [0.5, 0.5] });

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  ...Object.fromEntries(STATUSES.map((status) => [`status-${status}`, answerStatus(status)])),
  'status-204': answerStatus(204),
  'reset-before-headers': ({ socket }) => socket.resetAndDestroy(),
  'reset-after-headers': ({ socket }, response) => {
    response.writeHead(200, { 'content-length': 100 }).flushHeaders();
    setTimeout(() => socket.resetAndDestroy(), DRIP_MS);
  },
  'close-without-answer': ({ socket }) => socket.end(),
  'not-http': ({ socket }) => socket.end('220 mail.example ESMTP ready\r\n'),
  'no-answer': () => {},
  'continue-only': (_, response) => response.writeContinue(),
  'header-drip': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    drip(socket, () => socket.write('x-more: 1\r\n'));
  },
  'body-drip': ({ socket }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    drip(socket, () => response.write(' '));
  },
  'stalled-body': ({ socket }) => sendRaw(socket, { length: JSON_TEXT.length, text: JSON_TEXT.slice(0, 10) }),
  'half-body': ({ socket }) => {
    sendRaw(socket, { length: JSON_TEXT.length, text: JSON_TEXT.slice(0, 10) });
    socket.end();
  },
  'half-chunked-body': ({ socket }) => {
    socket.end(
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${JSON_TEXT.length.toString(16)}\r\n${JSON_TEXT}\r\n`,
    );
  },
  'length-too-long': ({ socket }) => {
    sendRaw(socket, { length: JSON_TEXT.length + 7, text: JSON_TEXT });
    socket.end();
  },
  'length-too-short': ({ socket }) => {
    sendRaw(socket, { length: JSON_TEXT.length - 7, text: JSON_TEXT });
    socket.end();
  },
  html: answerBody('<!doctype html><title>Sign in</title>', 'text/html'),
  empty: answerBody(''),
  'cut-json': answerBody(JSON_TEXT.slice(0, -5)),
  null: answerBody('null'),
  array: answerBody('[]'),
  number: answerBody('7'),
  'number-field': answerBody('{"pruned_code": 7, "scores": 7}'),
  'wrong-field': answerBody('{"answer": "one"}'),
  'bad-utf8': answerBody(
    Buffer.concat([Buffer.from('{"pruned_code":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
  ),
  'gzip-bomb': (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipBomb());
  },
  'unlabelled-gzip': (_, response) => response.writeHead(200).end(gzipSync(JSON_TEXT)),
  'body-of-64-mb': ({ socket }, response) => {
    response.writeHead(200, { 'content-length': 64 * MIB });
    flood(socket, response, 64);
  },
  'chunked-flood': ({ socket }, response) => {
    response.writeHead(200);
    flood(socket, response, 200);
  },
};

let bomb: Buffer | undefined;

function gzipBomb(): Buffer {
  bomb ??= gzipSync(Buffer.alloc(32 * MIB, ' '));
  return bomb;
}

function answerStatus(status: number): Behaviour {
  return (request, response) => {
    // A followed redirect would arrive at the healthy address with all it was given.
    const headers = status < 300 || status > 399 ? {} : { location: `http://${request.headers.host}/ok` };
    response.writeHead(status, headers).end(status === 204 ? undefined : JSON_TEXT);
  };
}

function answerBody(body: string | Buffer, type = 'application/json'): Behaviour {
  return (_, response) => response.writeHead(200, { 'content-type': type }).end(body);
}

function sendRaw(socket: Socket, body: { length: number; text: string }): void {
  socket.write(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.text}`,
  );
}

function drip(socket: Socket, write: () => void): void {
  const timer = setInterval(write, DRIP_MS);
  socket.on('close', () => clearInterval(timer));
}

function flood(socket: Socket, response: ServerResponse, mebibytes: number): void {
  const block = Buffer.alloc(MIB, ' ');
  let left = mebibytes;
  const more = (): void => {
    while (left > 0 && !socket.destroyed) {
      left -= 1;
      if (!response.write(block)) return;
    }
    if (left === 0) response.end();
  };
  response.on('drain', more);
  more();
}

async function findClosedPort(): Promise<number> {
  const server = createNetServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
