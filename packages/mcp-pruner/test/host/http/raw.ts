import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A reply as it came over the wire. */
export interface RawReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A connection on which anything can be said, honest or not. */
export interface RawConnection {
  readonly socket: Socket;
  readonly write: (text: string) => void;
  /** The next reply; rejects when the connection ends without one. `head`: it has no body, whatever it says. */
  readonly reply: (options?: { readonly head?: boolean }) => Promise<RawReply>;
  readonly closed: Promise<unknown>;
}

export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  let received = Buffer.alloc(0);
  let wake: (() => void) | undefined;
  let over = false;
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake?.();
  });
  socket.on('close', () => {
    over = true;
    wake?.();
  });
  await once(socket, 'connect');

  async function reply({ head = false } = {}): Promise<RawReply> {
    for (;;) {
      const taken = takeReply(received, head);
      if (taken !== undefined) {
        received = received.subarray(taken.length);
        return taken.reply;
      }
      if (over) throw new Error(`the connection ended: ${received.toString('latin1').slice(0, 200)}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return { socket, closed, reply, write: (text) => void socket.write(text) };
}

/** One request on a connection of its own. */
export async function sendRaw(port: number, text: string): Promise<RawReply> {
  const connection = await openRaw(port);
  connection.write(text);
  try {
    return await connection.reply({ head: text.startsWith('HEAD ') });
  } finally {
    connection.socket.destroy();
  }
}

/** A request with exactly these headers, in this order. */
export function requestText(line: string, headers: readonly (readonly [string, string])[], body = ''): string {
  return `${line} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

export function postText(path: string, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const own = {
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
  return requestText(`POST ${path}`, Object.entries({ ...own, ...headers }), body);
}

function takeReply(bytes: Buffer, noBody: boolean): { reply: RawReply; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [start = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: ?/, '')]),
  );
  const status = Number(start.split(' ')[1]);
  const length = noBody || status === 100 ? 0 : Number(headers.get('content-length') ?? 0);
  if (bytes.length < end + 4 + length) return undefined;
  const body = bytes.toString('utf8', end + 4, end + 4 + length);
  return { reply: { status, headers, body }, length: end + 4 + length };
}
