import { createAnswers } from './answers.ts';
import { callTool } from './call.ts';
import { createCalls } from './calls.ts';
import type { Frame } from './framing.ts';
import { UNKNOWN_CLIENT } from './initialize.ts';
import { type Incoming, readMessage } from './message.ts';
import { methodsOf } from './methods.ts';
import type { HostOptions } from './options.ts';
import type { Send } from './outgoing.ts';
import { cancelledId } from './params.ts';
import { errorLine } from './reply.ts';
import type { Client } from './tool.ts';

/** One connection: takes frames, sends exactly one reply per request and none for anything else. */
export interface Dispatcher {
  readonly receive: (frame: Frame) => void;
  /** The same for a frame that was read already. */
  readonly take: (incoming: Incoming) => void;
  /** Whether a request for this method is answered with anything but that there is none. */
  readonly knows: (method: string) => boolean;
  /** Aborts every call. Nothing is sent for them. */
  readonly cancelAll: () => void;
  /** Resolves when no call is under way. */
  readonly settled: () => Promise<void>;
}

export function createDispatcher(options: HostOptions, send: Send, greeted: Client = UNKNOWN_CLIENT): Dispatcher {
  const calls = createCalls(options.limits);
  const { emit } = options;
  let client = greeted;
  const methods = methodsOf(options, (introduced) => {
    client = introduced;
  });
  const answers = createAnswers(options, methods, send);

  function take(incoming: Incoming): void {
    switch (incoming.kind) {
      case 'request':
        if (incoming.message.method === 'tools/call') callTool(incoming.message, { options, client, calls, send });
        else answers.answer(incoming.message);
        break;
      case 'notification':
        if (incoming.message.method === 'notifications/cancelled') cancel(incoming.message.params);
        break;
      case 'unparsable':
        emit({ event: 'tool.request_parse_failed', data: { message: incoming.why } });
        send({ line: errorLine(null, incoming.error) });
        break;
      case 'invalid':
        emit({ event: 'tool.request_invalid', data: { message: incoming.why } });
        send({ line: errorLine(incoming.id, incoming.error) });
        break;
      case 'ignored':
        break;
    }
  }

  function cancel(params: unknown): void {
    const id = cancelledId(params);
    if (id !== undefined) calls.cancel(id);
  }

  async function settled(): Promise<void> {
    await Promise.all([calls.settled(), answers.settled()]);
  }

  return {
    receive: (frame) => take(readMessage(frame)),
    take,
    knows: (method) => method === 'tools/call' || methods.has(method),
    cancelAll: calls.cancelAll,
    settled,
  };
}
