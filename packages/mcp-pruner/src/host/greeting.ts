import type { InitializeParams, RpcId } from '@jeeves/protocol';
// The whole of the protocol is loaded after the handshake: it takes as long as the process itself.
import { isDeeperThan } from '@jeeves/protocol/shape';
import type { Frame } from './framing.ts';
import { clientOf, initializeResult, type ServerIdentity } from './initialize.ts';
import type { Client } from './tool.ts';

/** The answer to a handshake, and who asked. */
export interface Greeting {
  readonly line: string;
  readonly client: Client;
}

// A handshake is small and flat; whatever is not gets the full treatment.
const MAX_LENGTH = 65_536;
const MAX_DEPTH = 16;

/**
 * Answers a well-formed `initialize` without the schemas of the contract: loading them takes longer than all the rest
 * of the start. Anything else, and any doubt, is left to the dispatcher, which gives the same answer where this one does.
 */
export function greet(frame: Frame, server: ServerIdentity): Greeting | undefined {
  if (frame.kind !== 'text' || frame.text.length > MAX_LENGTH || isDeeperThan(frame.text, MAX_DEPTH)) return undefined;
  const message = parsed(frame.text);
  if (!isObject(message) || message['jsonrpc'] !== '2.0' || message['method'] !== 'initialize') return undefined;
  const { id, params } = message;
  if (!isId(id) || !isPlain(params)) return undefined;
  const result = initializeResult(server, params);
  return { line: JSON.stringify({ jsonrpc: '2.0', id, result }), client: clientOf(params) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isId(value: unknown): value is RpcId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isPlain(params: unknown): params is InitializeParams {
  if (!isObject(params) || params['_meta'] !== undefined) return false;
  const { protocolVersion, clientInfo, capabilities } = params;
  if (typeof protocolVersion !== 'string' || protocolVersion === '') return false;
  if (capabilities !== undefined && !isObject(capabilities)) return false;
  return clientInfo === undefined || (isObject(clientInfo) && isNamed(clientInfo));
}

function isNamed({ name, version }: Readonly<Record<string, unknown>>): boolean {
  return typeof name === 'string' && (version === undefined || typeof version === 'string');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
