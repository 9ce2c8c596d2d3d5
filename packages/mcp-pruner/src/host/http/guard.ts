import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type HttpError, type HttpErrorCode, httpError } from '@jeeves/protocol';
import type { Route } from './route.ts';

export interface GuardOptions {
  /** Values of `Host` to answer to beside the loopback names, with or without a port. */
  readonly allowedHosts: readonly string[];
  /** What a caller shows as its bearer token. */
  readonly token: string;
  /** Whether callers without the token are turned away. */
  readonly tokenRequired: boolean;
  /** Whether callers without the token must be of the same user, except on routes that are open to everybody. */
  readonly sameUserRequired: boolean;
  readonly maxBodyBytes: number;
}

/** The route of a request that may go on, or the answer to one that may not. */
export type Verdict =
  | { readonly ok: true; readonly route: Route; readonly trusted: boolean }
  | {
      readonly ok: false;
      readonly error: HttpError;
      readonly headers: Readonly<Record<string, string>>;
      /** Who the caller is decides, and nobody has looked yet: ask again with the answer. */
      readonly askWhose?: true;
    };

/**
 * Looks at the head of a request alone: no byte of a body is read for one that is turned away. `sameUser` tells whether
 * the connection is one of the server's own user, as far as that is known.
 */
export type Guard = (request: IncomingMessage, sameUser: boolean | undefined) => Verdict;

/** More than this is nobody's honest request. The parser drops what is beyond its own limit, so that is one higher. */
export const MAX_HEADERS = 64;

const UNAUTHORIZED = { 'www-authenticate': 'Bearer' } as const;

// By pattern, not by parsing: a URL parser takes `127.1` and `0x7f.1` for this machine, and what follows an `@`.
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Host and origin, verb, media type, token, size: in this order, on every path. Load comes after it. */
export function createGuard(options: GuardOptions, routes: readonly Route[]): Guard {
  const hosts = new Set(options.allowedHosts.map((host) => host.toLowerCase()));
  const isToken = matcherOf(options.token);
  return (request, sameUser) => {
    const { method = '', rawHeaders, headers } = request;
    if (rawHeaders.length > 2 * MAX_HEADERS) return refused('headers_too_large', 'too many headers');
    const strange = strangeOrigin(request, hosts);
    if (strange !== undefined) return refused('forbidden', strange);
    const found = routes.filter(({ path }) => path === pathOf(request));
    if (found.length === 0) return refused('not_found', 'no such route');
    const route = found.find((each) => each.method === method);
    if (route === undefined) {
      const allow = found.map((each) => each.method).join(', ');
      return refused('method_not_allowed', `this route takes ${allow}`, { allow });
    }
    if (method === 'POST' && !isPlainJson(request)) {
      return refused('unsupported_media_type', 'the body must be declared as application/json');
    }
    const shown = bearerOf(request);
    const trusted = shown !== undefined && isToken(shown);
    if (!trusted && (shown !== undefined || options.tokenRequired)) {
      const why = shown === undefined ? 'a bearer token is needed' : 'the token is wrong';
      return refused('unauthorized', why, UNAUTHORIZED);
    }
    if (!trusted && options.sameUserRequired && route.open !== true && sameUser !== true) {
      const verdict = refused('unauthorized', 'another user’s connection needs a bearer token', UNAUTHORIZED);
      return sameUser === undefined && !verdict.ok ? { ...verdict, askWhose: true } : verdict;
    }
    if (Number(headers['content-length'] ?? 0) > options.maxBodyBytes) {
      return refused('payload_too_large', `the body exceeds ${options.maxBodyBytes} bytes`);
    }
    return { ok: true, route, trusted };
  };
}

/** The path alone: a query changes nothing about who answers. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

function refused(code: HttpErrorCode, message: string, headers: Readonly<Record<string, string>> = {}): Verdict {
  return { ok: false, error: httpError(code, message), headers };
}

/** Why a request looks like one that a web page made a browser send. */
function strangeOrigin(request: IncomingMessage, hosts: ReadonlySet<string>): string | undefined {
  const host = only(request, 'host');
  if (host === undefined) return 'one Host header is needed';
  if (!LOOPBACK.test(host) && !isAllowed(host.toLowerCase(), hosts)) return 'this Host is not answered';
  // A browser asks first whether a page may send something unusual. None may.
  if (request.method === 'OPTIONS') return 'no page of another origin may call this server';
  if (request.headers.origin === undefined) return undefined;
  const origin = only(request, 'origin');
  // Of its own pages it knows the scheme only when nothing stands in between that adds one.
  const own = origin === `http://${host}` || (origin === `https://${host}` && !LOOPBACK.test(host));
  return own ? undefined : 'this Origin is not answered';
}

function isAllowed(host: string, hosts: ReadonlySet<string>): boolean {
  return hosts.has(host) || hosts.has(host.replace(/:\d{1,5}$/, ''));
}

/** The value of a header that came exactly once; the parser's own view hides a second one. */
function only({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  let value: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== name) continue;
    if (value !== undefined) return undefined;
    value = rawHeaders[at + 1];
  }
  return value;
}

function isPlainJson(request: IncomingMessage): boolean {
  const [mediaType = ''] = (only(request, 'content-type') ?? '').split(';', 1);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  return mediaType.trim().toLowerCase() === 'application/json' && encoding.toLowerCase() === 'identity';
}

/** What the caller showed, right or wrong; nothing when it showed nothing. */
function bearerOf(request: IncomingMessage): string | undefined {
  if (request.headers.authorization === undefined) return undefined;
  return /^Bearer +(\S+)$/i.exec(only(request, 'authorization') ?? '')?.[1] ?? '';
}

/** Takes the same time for every wrong token, whatever its length. */
function matcherOf(token: string): (shown: string) => boolean {
  const expected = digest(token);
  return (shown) => timingSafeEqual(digest(shown), expected);
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
