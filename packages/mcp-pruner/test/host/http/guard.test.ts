import { describe, expect, test } from 'vitest';
import type { Route } from '../../../src/host/http/route.ts';
import { openRaw, requestText, sendRaw } from './raw.ts';
import { cleanUpSites, openSite, TOKEN } from './site.ts';

cleanUpSites();

const routes: Route[] = [
  { method: 'GET', path: '/light', light: true, handle: () => ({ status: 200, body: 'light' }) },
  {
    method: 'POST',
    path: '/heavy',
    handle: ({ trusted, body }) => ({ status: 200, body: `${trusted} ${body.length}` }),
  },
];
const site = await openSite({
  routes,
  allowedHosts: ['Pruner.Example', 'fixed.example:9000'],
  limits: { maxBodyBytes: 64 },
});

async function get(headers: readonly (readonly [string, string])[], line = 'GET /light'): Promise<number> {
  return (await sendRaw(site.port, requestText(line, headers))).status;
}

async function post(headers: Readonly<Record<string, string>>, body = '{}'): Promise<string> {
  const own = { host: 'localhost', 'content-type': 'application/json', 'content-length': String(body.length) };
  const reply = await sendRaw(site.port, requestText('POST /heavy', Object.entries({ ...own, ...headers }), body));
  return reply.status === 200 ? reply.body : String(reply.status);
}

describe('a host', () => {
  test.each([
    ['localhost', 200],
    ['localhost:8006', 200],
    ['127.0.0.1:1', 200],
    ['[::1]:65535', 200],
    ['pruner.example', 200],
    ['PRUNER.example:443', 200],
    ['fixed.example:9000', 200],
    ['fixed.example', 403],
    ['fixed.example:9001', 403],
    ['evil.example', 403],
    ['localhost.', 403],
    ['LOCALHOST', 403],
    ['localhost:', 403],
    ['localhost:123456', 403],
    ['127.1', 403],
    ['0x7f.0.0.1', 403],
    ['2130706433', 403],
    ['127.0.0.1.evil.example', 403],
    ['evil.example@127.0.0.1', 403],
    ['127.0.0.1 evil.example', 403],
    ['[::ffff:127.0.0.1]', 403],
    ['::1', 403],
    ['', 403],
  ])('%j is answered with %i', async (host, status) => {
    expect(await get([['host', host]])).toBe(status);
  });

  test('is needed once: none and two are refused, whatever they say', async () => {
    expect(await get([])).toBe(403);
    expect(
      await get([
        ['host', 'localhost'],
        ['Host', 'localhost'],
      ]),
    ).toBe(403);
  });
});

describe('an origin', () => {
  test.each([
    ['localhost:8006', 'http://localhost:8006', 200],
    ['127.0.0.1', 'http://127.0.0.1', 200],
    ['pruner.example', 'https://pruner.example', 200],
    ['localhost:8006', 'https://localhost:8006', 403],
    ['localhost:8006', 'http://localhost:3000', 403],
    ['localhost:8006', 'http://localhost', 403],
    ['localhost:8006', 'http://127.0.0.1:8006', 403],
    ['localhost', 'http://localhost/', 403],
    ['localhost', 'http://localhost.evil.example', 403],
    ['localhost', 'http://evil.example', 403],
    ['localhost', 'null', 403],
    ['localhost', 'file://', 403],
    ['localhost', '', 403],
  ])('for %j of %j is answered with %i', async (host, origin, status) => {
    expect(
      await get([
        ['host', host],
        ['origin', origin],
      ]),
    ).toBe(status);
  });

  test('that comes twice is refused', async () => {
    const origin = ['origin', 'http://localhost'] as const;
    expect(await get([['host', 'localhost'], origin, origin])).toBe(403);
  });

  test('of a page that asks first is refused, though it were its own', async () => {
    expect(await get([['host', 'localhost']], 'OPTIONS /heavy')).toBe(403);
  });
});

describe('a verb', () => {
  test.each(['PUT', 'DELETE', 'PATCH', 'HEAD', 'TRACE', 'POST'])('%s is not taken by a route for GET', async (verb) => {
    const reply = await sendRaw(site.port, requestText(`${verb} /light`, [['host', 'localhost']]));
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET']);
  });

  test('is no matter where there is no route', async () => {
    expect(await get([['host', 'localhost']], 'PUT /nowhere')).toBe(404);
    expect(await get([['host', 'localhost']], 'GET http://evil.example/light')).toBe(404);
    expect(await get([['host', 'localhost']], 'GET /light/')).toBe(404);
    expect(await get([['host', 'localhost']], 'GET /light?a=/nowhere')).toBe(200);
  });
});

describe('a media type', () => {
  test.each([
    ['application/json', 'false 2'],
    ['Application/JSON; charset=utf-8', 'false 2'],
    [' application/json ', 'false 2'],
    ['application/json-patch+json', '415'],
    ['application/json, text/plain', '415'],
    ['text/plain', '415'],
    ['text/plain; application/json', '415'],
    ['application/x-www-form-urlencoded', '415'],
    ['', '415'],
  ])('%j gives %s', async (type, expected) => {
    expect(await post({ 'content-type': type })).toBe(expected);
  });

  test('that is said twice is refused, whichever comes first', async () => {
    for (const types of [
      ['application/json', 'text/plain'],
      ['text/plain', 'application/json'],
      ['application/json', 'application/json'],
    ]) {
      const headers = types.map((type) => ['content-type', type] as const);
      const all = [['host', 'localhost'], ['content-length', '2'], ...headers] as const;
      expect((await sendRaw(site.port, requestText('POST /heavy', all, '{}'))).status).toBe(415);
    }
  });

  test('of a body that would have to be unpacked is refused', async () => {
    expect(await post({ 'content-encoding': 'gzip' })).toBe('415');
    expect(await post({ 'content-encoding': 'identity' })).toBe('false 2');
  });
});

describe('a token', () => {
  test.each([
    [`Bearer ${TOKEN}`, 'true 2'],
    [`bearer   ${TOKEN}`, 'true 2'],
    [`Bearer ${TOKEN}x`, '401'],
    [`Bearer ${TOKEN} ${TOKEN}`, '401'],
    ['Bearer', '401'],
    ['', '401'],
    [TOKEN, '401'],
    [`Basic ${TOKEN}`, '401'],
  ])('%j gives %s', async (authorization, expected) => {
    expect(await post({ authorization })).toBe(expected);
  });

  test('that is absent is no matter here, and asked for where everybody needs one', async () => {
    expect(await post({})).toBe('false 2');
    const closed = await openSite({ routes, tokenRequired: true });
    const reply = await sendRaw(closed.port, requestText('GET /light', [['host', 'localhost']]));
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });
});

describe('a size', () => {
  test('up to the limit is read, one more is not', async () => {
    expect(await post({}, 'x'.repeat(64))).toBe('false 64');
    expect(await post({}, 'x'.repeat(65))).toBe('413');
  });

  test('that is not declared is counted as it comes', async () => {
    const chunk = '10\r\n0123456789abcdef\r\n';
    const chunked = { host: 'localhost', 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const send = async (count: number): Promise<number> => {
      const body = `${chunk.repeat(count)}0\r\n\r\n`;
      return (await sendRaw(site.port, requestText('POST /heavy', Object.entries(chunked), body))).status;
    };
    expect(await send(4)).toBe(200);
    expect(await send(5)).toBe(413);
  });

  test('that is too large is told before the body is asked for', async () => {
    const connection = await openRaw(site.port);
    const head = { host: 'localhost', 'content-type': 'application/json', expect: '100-continue' };
    connection.write(requestText('POST /heavy', Object.entries({ ...head, 'content-length': '65' })));
    expect((await connection.reply()).status).toBe(413);
    connection.socket.destroy();
  });

  test('that is fine is asked for', async () => {
    const connection = await openRaw(site.port);
    const head = { host: 'localhost', 'content-type': 'application/json', expect: '100-continue' };
    connection.write(requestText('POST /heavy', Object.entries({ ...head, 'content-length': '2' })));
    expect((await connection.reply()).status).toBe(100);
    connection.write('{}');
    expect((await connection.reply()).status).toBe(200);
    connection.socket.destroy();
  });
});

test('headers beyond the limit cannot hide one: the request is refused', async () => {
  const many = Array.from({ length: 70 }, (_, at) => [`x-${at}`, 'y'] as const);
  expect(await get([['host', 'localhost'], ...many.slice(0, 60)])).toBe(200);
  expect(await get([['host', 'localhost'], ...many, ['origin', 'http://evil.example']])).toBe(431);
});

test('nothing is said about other origins, and the reply is not kept', async () => {
  const reply = await sendRaw(site.port, requestText('GET /light', [['host', 'localhost']]));
  expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(reply.headers.get('cache-control')).toBe('no-store');
});
