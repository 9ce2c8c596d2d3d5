import * as z from 'zod';
import type { JsonSchema } from './tools/listing.ts';

/** Version of everything this package describes; `initialize` reports it as `jeeves.schemaVersion`. */
export const SCHEMA_VERSION = 1;

/** The name `initialize` and `/healthz` report. */
export const SERVER_NAME = '@jeeves/mcp-pruner';

/** Where a text-only reply carries its structured result: a runner reads it there, a model never sees it. */
export const RESULT_META_KEY = 'jeeves/result';

/** JSON-RPC's null, fractional and other ids are refused: no reply could be matched to them. */
export type RpcId = string | number;

export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly method: string;
  readonly params?: unknown;
}

export interface RpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: unknown;
}

export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export type RpcResponse =
  | { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: RpcId | null; readonly error: RpcErrorObject };

/** What a parsed message is. An invalid one still tells the id to answer to, when it has a usable one. */
export type RpcMessage =
  | { readonly kind: 'request'; readonly message: RpcRequest }
  | { readonly kind: 'notification'; readonly message: RpcNotification }
  | { readonly kind: 'response'; readonly message: RpcResponse }
  | { readonly kind: 'invalid'; readonly id: RpcId | null };

/** Sorts a parsed message. Params are left alone: whether they fit is the method's business. */
export function readRpcMessage(value: unknown): RpcMessage {
  if (!isObject(value)) return { kind: 'invalid', id: null };
  const id = isRpcId(value['id']) ? value['id'] : null;
  if (value['jsonrpc'] !== '2.0') return { kind: 'invalid', id };
  if (typeof value['method'] === 'string') {
    if (!Object.hasOwn(value, 'id')) return { kind: 'notification', message: value as unknown as RpcNotification };
    if (id !== null) return { kind: 'request', message: value as unknown as RpcRequest };
  } else if (isResponse(value, id)) {
    return { kind: 'response', message: value as unknown as RpcResponse };
  }
  return { kind: 'invalid', id };
}

export interface InitializeParams {
  readonly protocolVersion: string;
  readonly clientInfo?: { readonly name: string; readonly version?: string | undefined } | undefined;
  readonly capabilities?: Readonly<Record<string, unknown>> | undefined;
}

export interface InitializeResult {
  readonly protocolVersion: string;
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly capabilities: { readonly tools: { readonly listChanged?: boolean } };
  readonly jeeves: { readonly schemaVersion: number };
}

export interface ToolsListParams {
  readonly cursor?: string | undefined;
}

export interface ToolsListResult {
  readonly tools: readonly {
    readonly name: string;
    readonly title?: string | undefined;
    readonly description: string;
    readonly inputSchema: JsonSchema;
    readonly annotations?: Readonly<Record<string, unknown>> | undefined;
  }[];
}

export interface ToolsCallParams {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface ToolsCallResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: object | undefined;
  readonly isError?: boolean | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

const OBJECT = z.record(z.string(), z.unknown());

// Envelopes of later protocol versions hold more than these fields, so unknown ones pass.
export const INITIALIZE_PARAMS: z.ZodType<InitializeParams> = z.object({
  protocolVersion: z.string().min(1),
  clientInfo: z.object({ name: z.string(), version: z.string().optional() }).optional(),
  capabilities: OBJECT.optional(),
});

export const TOOLS_LIST_PARAMS: z.ZodType<ToolsListParams> = z.object({ cursor: z.string().optional() });

export const TOOLS_CALL_PARAMS: z.ZodType<ToolsCallParams> = z.object({
  name: z.string().min(1),
  arguments: OBJECT.default({}),
});

function isRpcId(value: unknown): value is RpcId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isResponse(value: Readonly<Record<string, unknown>>, id: RpcId | null): boolean {
  const hasError = isObject(value['error']);
  if (Object.hasOwn(value, 'result') === hasError) return false;
  return id !== null || (hasError && value['id'] === null);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
