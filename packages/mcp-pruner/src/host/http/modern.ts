import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { type RpcErrorObject, type RpcRequest, rpcError } from '@jeeves/protocol';
import * as z from 'zod';
import { initializeResult, type ServerIdentity, UNKNOWN_CLIENT } from '../initialize.ts';
import { checkParams } from '../params.ts';
import type { Client } from '../tool.ts';
import { HTTP_VERSIONS, MODERN_VERSION, textOf } from './revision.ts';

/** A request that keeps the rules of the revision without a handshake, or what is wrong with it. */
export type ModernCheck =
  | { readonly ok: true; readonly client: Client }
  | { readonly ok: false; readonly error: RpcErrorObject };

const PREFIX = 'io.modelcontextprotocol/';
const ENVELOPE = z.looseObject({
  _meta: z.looseObject({
    [`${PREFIX}protocolVersion`]: z.string(),
    [`${PREFIX}clientCapabilities`]: z.looseObject({}),
    [`${PREFIX}clientInfo`]: z.looseObject({ name: z.string(), version: z.string() }).optional(),
  }),
});

/** What a header must repeat, by method: proxies decide by headers, so they must not say anything else than the body. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

export function checkModern({ method, params }: RpcRequest, headers: IncomingHttpHeaders): ModernCheck {
  const version = textOf(headers['mcp-protocol-version']);
  if (version === undefined) return mismatch('MCP-Protocol-Version');
  if (textOf(headers['mcp-method'])?.trim() !== method) return mismatch('Mcp-Method');
  const name = bodyName(method, params);
  if (name !== undefined && decoded(textOf(headers['mcp-name'])) !== name) return mismatch('Mcp-Name');
  const checked = checkParams(method, ENVELOPE, params);
  if (!checked.ok) return checked;
  const meta = checked.value._meta;
  if (meta[`${PREFIX}protocolVersion`] !== version) return mismatch('MCP-Protocol-Version');
  const info = meta[`${PREFIX}clientInfo`] as Client | undefined;
  return { ok: true, client: info === undefined ? UNKNOWN_CLIENT : { name: info.name, version: info.version } };
}

export function unsupportedVersion(requested: string): RpcErrorObject {
  return rpcError('unsupported_protocol_version', { supported: HTTP_VERSIONS, requested: requested.slice(0, 100) });
}

/** The handshake's answer in one that needs none. */
export function discoverResult(server: ServerIdentity): object {
  const { capabilities, jeeves, instructions } = initializeResult(server, { protocolVersion: MODERN_VERSION });
  return {
    supportedVersions: HTTP_VERSIONS,
    // Both lists are there, and always empty.
    capabilities: { ...capabilities, resources: {}, prompts: {} },
    instructions,
    jeeves,
  };
}

/** What this revision wants in every result: its kind, who it is from, and how long a listing stays true. */
export function reviseFor({ name, version }: ServerIdentity): (result: object, method: string) => object {
  const serverInfo = { [`${PREFIX}serverInfo`]: { name, version } };
  return (result, method) => {
    const own = '_meta' in result && typeof result._meta === 'object' ? result._meta : {};
    const listed = method.endsWith('/list') || method === 'server/discover';
    return {
      resultType: 'complete',
      ...result,
      // Who may see which tool depends on the caller's token.
      ...(listed && { ttlMs: 0, cacheScope: 'private' }),
      _meta: { ...own, ...serverInfo },
    };
  };
}

function mismatch(header: string): ModernCheck {
  return { ok: false, error: rpcError('header_mismatch', { header }) };
}

function bodyName(method: string, params: unknown): string | undefined {
  const field = NAMED_BY.get(method);
  if (field === undefined || typeof params !== 'object' || params === null) return undefined;
  const value = (params as Readonly<Record<string, unknown>>)[field];
  return typeof value === 'string' ? value : undefined;
}

const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** Names that a header cannot carry come encoded; what is badly encoded equals no name. */
function decoded(header: string | undefined): string | undefined {
  const value = header?.trim();
  if (value === undefined || !value.startsWith('=?base64?') || !value.endsWith('?=')) return value;
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined || encoded.length % 4 !== 0) return undefined;
  return Buffer.from(encoded, 'base64').toString('utf8');
}
