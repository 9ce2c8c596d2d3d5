import { PassThrough } from 'node:stream';
import type { JeevesEvent } from '@jeeves/protocol';
import { createDispatcher } from '../../src/host/dispatch.ts';
import type { HostOptions } from '../../src/host/options.ts';
import { connectStdio, type OpenDispatcher, type StdioConnection } from '../../src/host/stdio.ts';
import { TOOLS } from './fixtures.ts';

export interface Message {
  readonly jsonrpc: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

/** The other end of a connection to the host, in this process. */
export interface Peer {
  readonly connection: StdioConnection;
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly events: readonly JeevesEvent[];
  /** Everything that came, in order. */
  readonly messages: readonly Message[];
  readonly write: (text: string | Uint8Array) => void;
  readonly notify: (method: string, params?: unknown) => void;
  /** Sends a request and waits for its reply. */
  readonly ask: (method: string, params?: unknown, id?: string | number) => Promise<Message>;
  readonly call: (name: string, args?: unknown, id?: string | number) => Promise<Message>;
  /** Waits until this holds. */
  readonly until: (holds: () => boolean) => Promise<void>;
}

export function connect(options: Partial<HostOptions> = {}): Peer {
  const input = new PassThrough();
  const output = new PassThrough();
  const events: JeevesEvent[] = [];
  const messages: Message[] = [];
  let requests = 0;
  let ids = 100;
  const host: HostOptions = {
    server: { name: 'fixture', version: '1.2.3', instructions: 'Use it well.' },
    tools: TOOLS,
    output: 'auto',
    emit: (event) => events.push(event),
    now: Date.now,
    newRequestId: () => `req_${(requests += 1)}`,
    ...options,
  };
  const load = async (): Promise<OpenDispatcher> => (send, client) => createDispatcher(host, send, client);
  const connection = connectStdio({ load }, input, output);
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) messages.push(JSON.parse(line) as Message);
  });
  const until = async (holds: () => boolean): Promise<void> => {
    for (const end = Date.now() + 10_000; !holds(); ) {
      if (Date.now() > end) throw new Error(`waited in vain; came: ${JSON.stringify(messages.slice(-3))}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const ask = async (method: string, params?: unknown, id: string | number = (ids += 1)): Promise<Message> => {
    const seen = messages.length;
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const reply = (): Message | undefined => messages.slice(seen).find((message) => message.id === id);
    await until(() => reply() !== undefined);
    return reply() as Message;
  };
  return {
    connection,
    input,
    output,
    events,
    messages,
    until,
    ask,
    write: (text) => input.write(text),
    notify: (method, params) => input.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`),
    call: (name, args = {}, id) => ask('tools/call', { name, arguments: args }, id),
  };
}

/** A line of the protocol. */
export function line(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}
