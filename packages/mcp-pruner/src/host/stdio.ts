import type { Readable, Writable } from 'node:stream';
import type { Dispatcher } from './dispatch.ts';
import { createFrameReader, type Frame } from './framing.ts';
import type { Greeting } from './greeting.ts';
import { UNKNOWN_CLIENT } from './initialize.ts';
import type { Outgoing, Send } from './outgoing.ts';
import type { Client } from './tool.ts';
import { flushed, within } from './waiting.ts';

/** Makes the dispatcher of a connection; the client is the one that was greeted, if any. */
export type OpenDispatcher = (send: Send, client: Client) => Dispatcher;

export interface StdioHost {
  /** Answers a handshake that comes before `load` is done. */
  readonly greet?: (frame: Frame) => Greeting | undefined;
  /** Loads all that serving needs. Called once, when what has arrived by then was greeted. */
  readonly load: () => Promise<OpenDispatcher>;
}

/** Why a connection is over: the peer closed its side, or nothing can be written any more. */
export type ConnectionEnd = 'input_ended' | 'output_broken';

export interface StdioConnection {
  /** Rejects when `load` does. */
  readonly ended: Promise<ConnectionEnd>;
  /**
   * Takes no more requests, gives calls that are almost done `drainMs` to answer, aborts the rest and waits for them at
   * most `abortMs`. Tells whether all of them came to an end.
   */
  readonly stop: (times: { readonly drainMs: number; readonly abortMs: number }) => Promise<boolean>;
}

// A client that sends without reading is made to wait, long after any client that merely writes ahead.
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/** Serves one peer over a pair of streams. Nothing else may write to `output`. */
export function connectStdio(host: StdioHost, input: Readable, output: Writable): StdioConnection {
  const reader = createFrameReader();
  const waiting: Frame[] = [];
  let client: Client = UNKNOWN_CLIENT;
  let dispatcher: Dispatcher | undefined;
  const { ended, end, fail } = createEnd();

  function send({ line, written, failed, last = false }: Outgoing): void {
    const done = (error?: Error | null): void => {
      if (error) failed?.(error);
      else written?.();
      if (error || last) end('output_broken');
    };
    writeLine(output, line, done);
    if (output.writableLength > MAX_UNREAD_BYTES) input.pause();
  }

  function receive(frame: Frame): void {
    if (dispatcher !== undefined) return dispatcher.receive(frame);
    const greeting = waiting.length === 0 ? host.greet?.(frame) : undefined;
    if (greeting === undefined) {
      waiting.push(frame);
      input.pause();
    } else {
      client = greeting.client;
      send({ line: greeting.line });
    }
  }

  function onData(chunk: Uint8Array): void {
    for (const frame of reader.push(chunk)) receive(frame);
  }

  function onEnd(): void {
    for (const frame of reader.end()) receive(frame);
    end('input_ended');
  }

  async function open(): Promise<Dispatcher> {
    // What has already arrived is read before this: a handshake among it is answered first.
    await new Promise((resolve) => setImmediate(resolve));
    const openDispatcher = await host.load();
    dispatcher = openDispatcher(send, client);
    for (const frame of waiting.splice(0)) dispatcher.receive(frame);
    input.resume();
    return dispatcher;
  }

  output.on('error', () => end('output_broken'));
  output.on('drain', () => input.resume());
  input.on('error', () => end('input_ended'));
  input.on('close', () => end('input_ended'));
  input.on('end', onEnd);
  input.on('data', onData);
  const opened = open();
  opened.catch(fail);

  return {
    ended,
    stop: async ({ drainMs, abortMs }) => {
      const { settled, cancelAll } = await opened;
      input.off('data', onData).off('end', onEnd);
      await within(
        drainMs,
        settled().then(() => flushed(output)),
      );
      cancelAll();
      return await within(abortMs, settled());
    },
  };
}

/** A large line is not copied to be in one piece. */
function writeLine(output: Writable, line: Outgoing['line'], done: (error?: Error | null) => void): void {
  if (typeof line === 'string') {
    output.write(`${line}\n`, done);
    return;
  }
  output.cork();
  for (const piece of line) output.write(piece);
  output.write('\n', done);
  output.uncork();
}

interface End {
  readonly ended: Promise<ConnectionEnd>;
  readonly end: (why: ConnectionEnd) => void;
  readonly fail: (error: unknown) => void;
}

function createEnd(): End {
  let settle: Omit<End, 'ended'> | undefined;
  const ended = new Promise<ConnectionEnd>((resolve, reject) => {
    settle = { end: resolve, fail: reject };
  });
  return { ended, end: (why) => settle?.end(why), fail: (error) => settle?.fail(error) };
}
