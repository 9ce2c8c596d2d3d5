import { Buffer } from 'node:buffer';
import {
  RESULT_META_KEY,
  type RpcErrorObject,
  type RpcId,
  type RpcResponse,
  type ToolsCallResult,
} from '@jeeves/protocol';
import type { Client, ToolOutcome } from './tool.ts';

/** Which parts of a result go out; `auto` decides by client. */
export type OutputMode = 'auto' | 'structured' | 'text';

/** `structured`: text and object side by side. `text`: the text alone, with the object where no model looks. */
export type ReplyShape = 'structured' | 'text';

/** The largest reply, newline apart: clients close the connection at a longer line. */
export const MAX_REPLY_BYTES: number = 8 * 1024 * 1024;

// These show their model the object in place of the text, and drop the data of an error.
const TEXT_CLIENTS = new Set(['claude-code', 'codex-mcp-client']);

export function replyShape(mode: OutputMode, client: Client): ReplyShape {
  if (mode !== 'auto') return mode;
  return TEXT_CLIENTS.has(client.name) ? 'text' : 'structured';
}

/** What a pruned reply may cost when the caller does not say. */
const MAX_TOKENS = 4000;

/** Clients that cut earlier than that by themselves: Codex at about 10,000 bytes. */
const CLIENT_MAX_TOKENS: Readonly<Record<string, number>> = { 'codex-mcp-client': 2400 };

/** The tokens that a client's model is given for one pruned reply. */
export function replyTokens({ name }: Client): number {
  return CLIENT_MAX_TOKENS[name] ?? MAX_TOKENS;
}

export function resultOf(outcome: ToolOutcome, shape: ReplyShape): object {
  if (outcome.result !== undefined) return outcome.result;
  return ownResult(outcome, shape);
}

function ownResult(outcome: ToolOutcome, shape: ReplyShape): ToolsCallResult {
  return {
    content: [{ type: 'text', text: outcome.text }],
    ...(shape === 'structured' && { structuredContent: outcome.structured }),
    ...(outcome.isError && { isError: true }),
    ...(shape === 'text' && { _meta: { [RESULT_META_KEY]: outcome.structured } }),
  };
}

/** An error of the protocol in words, as a result: what a model that sees nothing else can learn from. */
export function errorAsResult(error: RpcErrorObject, text: string): ToolsCallResult {
  return { content: [{ type: 'text', text }], isError: true, _meta: { [RESULT_META_KEY]: { error } } };
}

export function lineOf(response: RpcResponse): string {
  return JSON.stringify(response);
}

export function errorLine(id: RpcId | null, error: RpcErrorObject): string {
  return lineOf({ jsonrpc: '2.0', id, error });
}

export function resultLine(id: RpcId, result: unknown): string {
  return lineOf({ jsonrpc: '2.0', id, result });
}

/**
 * What stays of an outcome as one line of at most `maxBytes`, encoded; nothing when it cannot be made to fit.
 * Throws when it cannot be serialized.
 */
export function outcomeLine(
  id: RpcId,
  outcome: ToolOutcome,
  shape: ReplyShape,
  maxBytes: number = MAX_REPLY_BYTES,
): readonly Uint8Array[] | undefined {
  let { fitting, budget } = weighed(outcome, maxBytes);
  for (;;) {
    const pieces = encoded(id, fitting, shape);
    if (pieces.reduce((sum, { length }) => sum + length, 0) <= maxBytes) return pieces;
    // How much escaping adds differs from one end of a text to the other.
    budget = Math.floor(Math.min(budget, Buffer.byteLength(fitting.text)) / 2);
    if (outcome.shrink === undefined || budget < 1) return undefined;
    fitting = outcome.shrink(budget);
  }
}

/** The bytes of the reply. A long text that the object repeats is escaped and encoded once. */
function encoded(id: RpcId, outcome: ToolOutcome, shape: ReplyShape): readonly Uint8Array[] {
  const { text, structured } = outcome;
  const response: RpcResponse = { jsonrpc: '2.0', id, result: resultOf(outcome, shape) };
  const whole = (): Uint8Array[] => [Buffer.from(lineOf(response))];
  if (text.length < PIECE_LENGTH || !Object.values(structured).includes(text)) return whole();
  let replaced = 0;
  const skeleton = JSON.stringify(response, (_, value: unknown) => {
    if (value !== text) return value;
    replaced += 1;
    return MARK;
  });
  const between = skeleton.split(JSON.stringify(MARK));
  // Something else in the reply reads like the mark.
  if (between.length !== replaced + 1) return whole();
  const once = Buffer.from(JSON.stringify(text));
  return between.flatMap((piece, at) => (at === 0 ? [Buffer.from(piece)] : [once, Buffer.from(piece)]));
}

const MARK = '\u0000the text\u0000';

/** A giant text is weighed piece by piece first: written out as a whole it could take many times its room. */
function weighed(outcome: ToolOutcome, maxBytes: number): { fitting: ToolOutcome; budget: number } {
  const whole = { fitting: outcome, budget: Number.POSITIVE_INFINITY };
  if (outcome.text.length <= maxBytes / 4 || outcome.shrink === undefined) return whole;
  const share = (0.95 * maxBytes) / (COPIES * escapedBytes(outcome.text));
  if (share >= 1) return whole;
  const budget = Math.floor(Buffer.byteLength(outcome.text) * share);
  return { fitting: outcome.shrink(budget), budget };
}

// The output stands in the text and in the object.
const COPIES = 2;
const PIECE_LENGTH = 65_536;

function escapedBytes(text: string): number {
  let bytes = 0;
  for (let start = 0; start < text.length; start += PIECE_LENGTH) {
    bytes += Buffer.byteLength(JSON.stringify(text.slice(start, start + PIECE_LENGTH)));
  }
  return bytes;
}
