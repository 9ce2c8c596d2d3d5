import type { IncomingHttpHeaders } from 'node:http';
import { PROTOCOL_VERSIONS } from '../initialize.ts';

/** The revision without a handshake: every request says all there is to know. */
export const MODERN_VERSION = '2026-07-28';

/** Everything that is spoken over HTTP, newest first. */
export const HTTP_VERSIONS: readonly string[] = [MODERN_VERSION, ...PROTOCOL_VERSIONS];

/** By whose rules a request is held. */
export type Era =
  /** Nobody's: a plain JSON-RPC post. */
  | { readonly kind: 'bare' }
  /** Revisions with a handshake. */
  | { readonly kind: 'legacy' }
  /** `version` is what the header says, where there is one. */
  | { readonly kind: 'modern'; readonly version: string | undefined }
  | { readonly kind: 'unknown'; readonly version: string };

/** Told by the headers alone: a request without any of the protocol's is a plain one. */
export function eraOf(headers: IncomingHttpHeaders): Era {
  const version = textOf(headers['mcp-protocol-version']);
  if (version === MODERN_VERSION) return { kind: 'modern', version };
  if (version !== undefined) {
    return HTTP_VERSIONS.includes(version) ? { kind: 'legacy' } : { kind: 'unknown', version };
  }
  if (headers['mcp-method'] !== undefined || headers['mcp-name'] !== undefined) return { kind: 'modern', version };
  // Before the header existed there were sessions.
  const others = Object.keys(headers).some((name) => name.startsWith('mcp-'));
  return { kind: others ? 'legacy' : 'bare' };
}

/** Whether a client takes both forms that a reply may have. */
export function acceptsBothForms({ accept = '' }: IncomingHttpHeaders): boolean {
  const ranges = accept.split(',').map((range) => (range.split(';', 1)[0] ?? '').trim().toLowerCase());
  const takes = (type: string): boolean => {
    return ranges.some((range) => range === type || range === '*/*' || range === `${type.split('/', 1)[0]}/*`);
  };
  return takes('application/json') && takes('text/event-stream');
}

export function textOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(', ');
}
