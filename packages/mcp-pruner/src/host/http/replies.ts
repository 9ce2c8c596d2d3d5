import type { Outgoing, Send } from '../outgoing.ts';
import type { HttpReply } from './route.ts';

/** What a dispatcher sends for one post. */
export interface Replies {
  readonly send: Send;
  /** The last of it: the reply, once there is one. */
  readonly last: () => Outgoing | undefined;
  /** Has everything written as it comes. */
  readonly follow: (write: Send) => void;
}

export function createReplies(): Replies {
  let last: Outgoing | undefined;
  let follower: Send | undefined;
  return {
    send: (outgoing) => {
      last = outgoing;
      follower?.(outgoing);
    },
    last: () => last,
    follow: (write) => {
      follower = write;
    },
  };
}

/** Nothing to say means accepted, or cancelled: a status without a body either way. */
export function wholeReply(outgoing: Outgoing | undefined, status: number): HttpReply {
  if (outgoing === undefined) return { status: 202 };
  const { line, written, failed } = outgoing;
  return { status, body: line, ...(written !== undefined && { written }), ...(failed !== undefined && { failed }) };
}

/** Progress first, the reply last, each as an event of its own. */
export function streamedReply(run: () => Promise<void>, replies: Replies): HttpReply {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    stream: async (write) => {
      replies.follow(({ line, written }) => {
        write('event: message\ndata: ');
        for (const piece of typeof line === 'string' ? [line] : line) write(piece);
        write('\n\n');
        written?.();
      });
      await run();
    },
  };
}
