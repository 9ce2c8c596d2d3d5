import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Reply {
  readonly result?: { readonly content?: readonly { readonly text?: string }[]; readonly isError?: boolean };
  readonly error?: unknown;
}

/** A server that is asked things, whatever lies in between. */
export interface Peer {
  readonly ask: (method: string, params: object) => Promise<Reply>;
  readonly end: () => void;
}

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };

const started = new Set<ChildProcess>();
process.once('exit', () => started.forEach((child) => child.kill('SIGKILL')));

export function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  started.add(child);
  return child;
}

/** A program over its standard streams, as bare as a client can be. */
export async function stdioPeer(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Peer> {
  const { stdin, stdout } = start(args, env);
  if (stdin === null || stdout === null) throw new Error('no pipes');
  const waiting = new Map<unknown, (reply: Reply) => void>();
  createInterface({ input: stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Reply & { readonly id?: number };
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  let lastId = 0;
  const ask = (method: string, params: object): Promise<Reply> => {
    lastId += 1;
    const id = lastId;
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  await ask('initialize', HELLO);
  stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return { ask, end: () => stdin.end() };
}

/** A Streamable HTTP endpoint; asked again until it listens. */
export async function httpPeer(url: string, own: Readonly<Record<string, string>>, end: () => void): Promise<Peer> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...own,
  };
  let lastId = 0;
  const post = async (method: string, params?: object): Promise<Response> => {
    lastId += 1;
    const id = method.startsWith('notifications/') ? {} : { id: lastId };
    return await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...id, method, params }),
    });
  };
  const greeting = await untilListening(() => post('initialize', HELLO));
  await greeting.text();
  headers['mcp-session-id'] = greeting.headers.get('mcp-session-id') ?? '';
  headers['mcp-protocol-version'] = HELLO.protocolVersion;
  await (await post('notifications/initialized')).text();
  return { ask: async (method, params) => replyIn(await (await post(method, params)).text()), end };
}

/** Of a plain body, or of the last event of a stream. */
function replyIn(body: string): Reply {
  const data = body.startsWith('{') ? body : body.slice(body.lastIndexOf('data: ') + 'data: '.length);
  return JSON.parse(data) as Reply;
}

async function untilListening(post: () => Promise<Response>): Promise<Response> {
  for (const end = Date.now() + 20_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    try {
      return await post();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
