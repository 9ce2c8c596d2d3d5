import {
  MESSAGE_SHAPE,
  type RpcErrorObject,
  type RpcId,
  type RpcNotification,
  type RpcRequest,
  readRpcMessage,
  rpcError,
  shapeProblem,
} from '@jeeves/protocol';
import type { Frame } from './framing.ts';

/** What a frame turned out to be. `why` is for the log and holds nothing of the message. */
export type Incoming =
  | { readonly kind: 'request'; readonly message: RpcRequest }
  | { readonly kind: 'notification'; readonly message: RpcNotification }
  /** Nothing that is answered. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'unparsable'; readonly error: RpcErrorObject; readonly why: string }
  | { readonly kind: 'invalid'; readonly id: RpcId | null; readonly error: RpcErrorObject; readonly why: string };

// Beyond this even parsing a deep message for its id costs too much.
const MAX_DEEP_LENGTH = 1024 * 1024;

/** Reads one frame. Never throws. */
export function readMessage(frame: Frame): Incoming {
  if (frame.kind === 'too_large') {
    return { kind: 'invalid', id: null, error: rpcError('message_too_large'), why: 'the message exceeds 16 MiB' };
  }
  if (frame.kind === 'not_utf8') return unparsable('the message is not UTF-8');
  const { text } = frame;
  const problem = shapeProblem(text);
  if (problem === 'too_many') return tooMany();
  // Writing a deep message out again could overflow the stack.
  const deep = problem === 'too_deep';
  if (deep && text.length > MAX_DEEP_LENGTH) return tooDeep(null);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unparsable('the message is not JSON');
  }
  const found = readRpcMessage(value);
  // This host asks its clients nothing, so a response answers nothing.
  if (found.kind === 'response') return { kind: 'ignored' };
  if (found.kind === 'invalid') {
    return { kind: 'invalid', id: found.id, error: rpcError('invalid_request'), why: 'the message is not a request' };
  }
  if (!deep) return found;
  return found.kind === 'request' ? tooDeep(found.message.id) : { kind: 'ignored' };
}

function unparsable(why: string): Incoming {
  return { kind: 'unparsable', error: rpcError('parse_error'), why };
}

function tooMany(): Incoming {
  const why = `the message holds more than ${MESSAGE_SHAPE.values} values`;
  return { kind: 'invalid', id: null, error: rpcError('invalid_request'), why };
}

function tooDeep(id: RpcId | null): Incoming {
  const why = `the message is nested more than ${MESSAGE_SHAPE.depth} deep`;
  return { kind: 'invalid', id, error: rpcError('invalid_request'), why };
}
