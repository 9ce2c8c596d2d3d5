import { beforeAll, describe, expect } from 'vitest';
import { openRaw, type RawReply, requestText } from '../../../../packages/mcp-pruner/test/host/http/raw.ts';
import { verifies } from '../../verifies.ts';
import { cleanUpServices, type Service, startService } from '../text/service.ts';
import { tokenOf } from './posting.ts';

cleanUpServices();
let service: Service;
let token = '';
beforeAll(async () => {
  service = await startService({ program: 'jeeves-mcp-pruner' });
  ({ authorization: token } = tokenOf(service));
});

/** One value of a header, and whether a request with it may go on. `PORT` stands for the real one. */
interface Value {
  readonly sent: readonly string[];
  readonly fine: boolean;
}

const fine = (...sent: string[]): Value => ({ sent, fine: true });
const bad = (...sent: string[]): Value => ({ sent, fine: false });

const HOSTS: readonly Value[] = [
  fine('localhost:PORT'),
  fine('127.0.0.1:PORT'),
  fine('[::1]:PORT'),
  fine('localhost'),
  bad('evil.example:PORT'),
  bad('127.0.0.1.evil.example:PORT'),
  bad('127.1:PORT'),
  bad('2130706433:PORT'),
  bad('0.0.0.0:PORT'),
  bad('evil.example@127.0.0.1:PORT'),
  bad('LOCALHOST:PORT'),
  bad('127.0.0.1:PORT, evil.example'),
  bad(),
  bad('localhost:PORT', 'localhost:PORT'),
];
/** `HOST` stands for the request's own. */
const ORIGINS: readonly Value[] = [
  fine(),
  fine('http://HOST'),
  bad('null'),
  bad('http://evil.example'),
  bad('http://localhost:1'),
  bad('https://HOST'),
  bad(''),
  bad('http://HOST/'),
];
const TYPES: readonly Value[] = [
  fine('application/json'),
  fine('application/json; charset=utf-8'),
  bad('text/plain'),
  bad('text/plain; charset=application/json'),
  bad('application/x-www-form-urlencoded'),
  bad('multipart/form-data; boundary=x'),
  bad(),
];
const VERBS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const;
const TOKENS = ['none', 'right', 'wrong'] as const;
const ROUTES = [
  { path: '/rpc', verb: 'POST' },
  { path: '/health', verb: 'GET' },
  { path: '/mcp', verb: 'POST' },
] as const;

interface Case {
  readonly host: Value;
  readonly origin: Value;
  readonly type: Value;
  readonly verb: (typeof VERBS)[number];
  readonly token: (typeof TOKENS)[number];
  readonly route: (typeof ROUTES)[number];
}

/** Every combination, each on one of the routes. */
function allCases(): Case[] {
  const cases: Case[] = [];
  for (const [h, host] of HOSTS.entries())
    for (const [o, origin] of ORIGINS.entries())
      for (const [t, type] of TYPES.entries())
        for (const [v, verb] of VERBS.entries())
          for (const [k, shown] of TOKENS.entries()) {
            const route = ROUTES[(h + o + t + v + k) % ROUTES.length];
            if (route !== undefined) cases.push({ host, origin, type, verb, token: shown, route });
          }
  return cases;
}

/** What the rules say, in their order; nothing of the server's code is used. */
function expected({ host, origin, type, verb, token: shown, route }: Case): number {
  if (!host.fine || verb === 'OPTIONS' || !origin.fine) return 403;
  if (verb !== route.verb) return 405;
  if (verb === 'POST' && !type.fine) return 415;
  return shown === 'wrong' ? 401 : 200;
}

function textOf({ host, origin, type, verb, token: shown, route }: Case): string {
  const port = String(service.port);
  const hosts = host.sent.map((value) => value.replace('PORT', port));
  const headers: [string, string][] = hosts.map((value) => ['Host', value]);
  for (const value of origin.sent) headers.push(['Origin', value.replace('HOST', hosts[0] ?? '')]);
  for (const value of type.sent) headers.push(['Content-Type', value]);
  if (shown !== 'none') headers.push(['Authorization', shown === 'right' ? token : 'Bearer wrong']);
  const body = verb === 'GET' ? '' : '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  headers.push(['Content-Length', String(body.length)]);
  return requestText(`${verb} ${route.path}`, headers, body);
}

// Fewer than may wait on the server at once.
const AT_ONCE = 40;

async function sendAll(cases: readonly Case[]): Promise<RawReply[]> {
  const replies: RawReply[] = [];
  const connection = await openRaw(service.port);
  for (let at = 0; at < cases.length; at += AT_ONCE) {
    const part = cases.slice(at, at + AT_ONCE);
    connection.write(part.map(textOf).join(''));
    for (const _ of part) replies.push(await connection.reply());
  }
  connection.socket.destroy();
  return replies;
}

/** How often routes were run, as the server itself counts. */
async function handled(): Promise<number> {
  const { text } = await service.get('/metrics');
  const counts = ROUTES.map(({ path }) => {
    const line = text.split('\n').find((each) => each.includes(`route="${path}"`) && each.includes('status="200"'));
    return Number(line?.split(' ').at(-1) ?? 0);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

describe('Host × Origin × Content-Type × verb × token', () => {
  verifies(
    ['security.t1.browser', 'http.guard-order'],
    'only what may reach a handler does, and no reply speaks of other origins',
    async () => {
      const cases = allCases();
      expect(cases).toHaveLength(14 * 8 * 7 * 5 * 3);
      const before = await handled();
      const replies = await sendAll(cases);
      const wrong = cases.flatMap((each, at) => {
        const status = replies[at]?.status;
        return status === expected(each) ? [] : [{ request: textOf(each), status, expected: expected(each) }];
      });
      expect(wrong).toEqual([]);
      const allowed = cases.filter((each) => expected(each) === 200).length;
      expect(allowed).toBeGreaterThan(50);
      expect((await handled()) - before).toBe(allowed);
      const headers = new Set(replies.flatMap((reply) => [...reply.headers.keys()]));
      expect([...headers].filter((name) => name.startsWith('access-control'))).toEqual([]);
      for (const { status, body } of replies) {
        if (status !== 200) expect(JSON.parse(body)).toMatchObject({ ok: false, error: { code: CODES[status] } });
      }
    },
  );
});

const CODES: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  405: 'method_not_allowed',
  415: 'unsupported_media_type',
};
