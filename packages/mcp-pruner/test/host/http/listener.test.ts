import { once } from 'node:events';
import { createServer } from 'node:net';
import type { JeevesEvent } from '@jeeves/protocol';
import { describe, expect, test } from 'vitest';
import type { HttpRequest, Route } from '../../../src/host/http/route.ts';
import { openRaw, postText, requestText, sendRaw } from './raw.ts';
import { cleanUpSites, openSite, type Site, until } from './site.ts';

cleanUpSites();

const LIGHT: Route = { method: 'GET', path: '/light', light: true, handle: () => ({ status: 200, body: 'light' }) };
const GET_LIGHT = requestText('GET /light', [['host', 'localhost']]);

/** A route whose requests stay until they are let go. */
function holding(): { route: Route; held: HttpRequest[]; letGo: () => void } {
  const held: HttpRequest[] = [];
  const gate = createGate();
  const route: Route = {
    method: 'POST',
    path: '/hold',
    handle: async (request) => {
      held.push(request);
      await Promise.race([gate.opened, aborted(request.signal)]);
      return { status: 200, body: '"done"' };
    },
  };
  return { route, held, letGo: gate.open };
}

function createGate(): { readonly opened: Promise<unknown>; readonly open: () => void } {
  const controller = new AbortController();
  return { opened: aborted(controller.signal), open: () => controller.abort() };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** What was reported beside the requests themselves. */
function defects({ events }: Site): readonly JeevesEvent[] {
  return events.filter(({ event }) => event !== 'http.request');
}

describe('too much', () => {
  test('is told 503 with a time to come back, while light routes answer and what waits is served', async () => {
    const { route, held, letGo } = holding();
    const site = await openSite({ routes: [route, LIGHT], limits: { running: 2, waiting: 3 } });
    const posts = Array.from({ length: 9 }, () => site.post('/hold', {}));
    await until(() => site.listener.load().shed === 4);
    expect(await (await fetch(`http://127.0.0.1:${site.port}/light`)).text()).toBe('light');
    expect(held).toHaveLength(2);
    letGo();
    const replies = await Promise.all(posts);
    expect([200, 503].map((status) => replies.filter((reply) => reply.status === status).length)).toEqual([5, 4]);
    const turned = replies.find(({ status }) => status === 503);
    expect(turned?.headers.get('retry-after')).toBe('1');
    expect(await turned?.json()).toEqual({ ok: false, error: { code: 'busy', message: expect.any(String) } });
  });

  test('and comes all at once, by new connections, is turned away before the work that was taken is done', async () => {
    const busy: Route = {
      method: 'POST',
      path: '/busy',
      handle: () => {
        const end = performance.now() + 20;
        while (performance.now() < end);
        return { status: 200 };
      },
    };
    const own = await openSite({ routes: [busy], limits: { running: 1, waiting: 2 } });
    const crowd = Array.from({ length: 60 }, () => sendRaw(own.port, postText('/busy', '{}')));
    const statuses = (await Promise.all(crowd)).map(({ status }) => status);
    // One connection is taken per turn of the event loop: with work in every turn, none would ever be too many.
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(30);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(2);
  });

  test('in memory is told 503 too: bodies count before they are whole', async () => {
    const { route, letGo } = holding();
    const site = await openSite({ routes: [route], limits: { maxHeldBytes: 1000 } });
    const first = await openRaw(site.port);
    first.write(postText('/hold', '', { 'content-length': '900' }) + 'x'.repeat(800));
    await until(() => site.listener.load().requests === 1);
    const second = await sendRaw(site.port, postText('/hold', 'x'.repeat(600)));
    expect(second.status).toBe(503);
    letGo();
    first.write('x'.repeat(100));
    expect((await first.reply()).status).toBe(200);
    // What was given back can be taken again.
    expect((await sendRaw(site.port, postText('/hold', 'x'.repeat(900)))).status).toBe(200);
    first.socket.destroy();
  });

  test('of connections is not taken, until one of them is closed', async () => {
    const site = await openSite({ routes: [LIGHT], limits: { connections: 2 } });
    const [one, two] = await Promise.all([openRaw(site.port), openRaw(site.port)]);
    await until(() => site.listener.load().connections === 2);
    await expect(sendRaw(site.port, GET_LIGHT)).rejects.toThrow('ended');
    one.socket.destroy();
    await until(() => site.listener.load().connections === 1);
    expect((await sendRaw(site.port, GET_LIGHT)).status).toBe(200);
    two.socket.destroy();
  });
});

describe('a slow caller', () => {
  test('of a head is cut off', async () => {
    const site = await openSite({ routes: [LIGHT], limits: { headersMs: 200, requestMs: 400 } });
    const connection = await openRaw(site.port);
    connection.write('GET /light HTTP/1.1\r\nhost: local');
    const reply = await connection.reply();
    expect([reply.status, JSON.parse(reply.body)]).toEqual([
      408,
      { ok: false, error: { code: 'request_timeout', message: 'the request did not arrive in time' } },
    ]);
    await connection.closed;
  });

  test('of a body is cut off, and takes no place meanwhile', async () => {
    const { route, held } = holding();
    const site = await openSite({ routes: [route, LIGHT], limits: { bodyIdleMs: 200, running: 1, waiting: 0 } });
    const connection = await openRaw(site.port);
    connection.write(`${postText('/hold', '', { 'content-length': '100' })}{`);
    await until(() => site.listener.load().requests === 1);
    expect(site.listener.load()).toMatchObject({ running: 0, waiting: 0 });
    expect((await connection.reply()).status).toBe(408);
    await connection.closed;
    expect(held).toEqual([]);
  });

  test('that goes on and on is cut off all the same', async () => {
    const { route } = holding();
    const site = await openSite({ routes: [route], limits: { headersMs: 200, requestMs: 400 } });
    const connection = await openRaw(site.port);
    connection.write(postText('/hold', '', { 'content-length': '100000' }));
    const drip = setInterval(() => connection.write('x'), 20);
    expect((await connection.reply()).status).toBe(408);
    clearInterval(drip);
    await connection.closed;
  });

  test('of a reply is cut off, and its memory given back', async () => {
    const failures: string[] = [];
    const large: Route = {
      method: 'POST',
      path: '/large',
      handle: () => ({
        status: 200,
        body: [Buffer.alloc(64 * 1024 * 1024)],
        failed: ({ message }) => failures.push(message),
      }),
    };
    const site = await openSite({ routes: [large, LIGHT], limits: { replyMs: 300, maxHeldBytes: 1024 * 1024 } });
    const connection = await openRaw(site.port);
    connection.socket.pause();
    connection.write(postText('/large', '{}'));
    await until(() => failures.length === 1);
    expect(failures).toEqual(['the caller is gone']);
    expect((await sendRaw(site.port, GET_LIGHT)).status).toBe(200);
    expect((await site.post('/large', {})).status).toBe(200);
    connection.socket.destroy();
  });
});

describe('a caller that is gone', () => {
  test('lets the route know', async () => {
    const { route, held } = holding();
    const site = await openSite({ routes: [route] });
    const connection = await openRaw(site.port);
    connection.write(postText('/hold', '{}'));
    await until(() => held.length === 1);
    expect(held[0]?.signal.aborted).toBe(false);
    connection.socket.destroy();
    await until(() => held[0]?.signal.aborted === true);
    expect(held[0]?.stopping.aborted).toBe(false);
    await until(() => site.listener.load().running === 0);
  });

  test('in the middle of its body leaves nothing behind', async () => {
    const { route, held } = holding();
    const site = await openSite({ routes: [route], limits: { maxHeldBytes: 1000 } });
    for (let round = 0; round < 5; round += 1) {
      const connection = await openRaw(site.port);
      connection.write(postText('/hold', '', { 'content-length': '900' }) + 'x'.repeat(800));
      await until(() => site.listener.load().requests === round + 1);
      connection.socket.destroy();
      await until(() => site.listener.load().connections === 0);
    }
    expect(held).toEqual([]);
  });
});

describe('what never was a request', () => {
  test.each([
    ['bytes of another protocol', '\u0016\u0003\u0001\u0002\r\n\r\n', 400, 'bad_request'],
    ['two lengths', postText('/light', '{}', { 'transfer-encoding': 'chunked' }), 400, 'bad_request'],
    ['endless headers', requestText('GET /light', [['x', 'y'.repeat(20_000)]]), 431, 'headers_too_large'],
  ])('%s is told so in the same shape', async (_, text, status, code) => {
    const site = await openSite({ routes: [LIGHT] });
    const reply = await sendRaw(site.port, text);
    expect([reply.status, JSON.parse(reply.body)]).toEqual([
      status,
      { ok: false, error: { code, message: expect.any(String) } },
    ]);
    expect((await sendRaw(site.port, GET_LIGHT)).status).toBe(200);
  });
});

describe('a route', () => {
  test('that throws is answered with 500, logged, and harms nobody', async () => {
    const broken: Route = {
      method: 'POST',
      path: '/broken',
      handle: () => {
        throw new TypeError('a defect');
      },
    };
    const site = await openSite({ routes: [broken, LIGHT] });
    const reply = await site.post('/broken', {});
    expect([reply.status, await reply.json()]).toEqual([
      500,
      { ok: false, error: { code: 'internal_error', message: 'a defect of the server' } },
    ]);
    expect(defects(site)).toMatchObject([{ event: 'tool.internal_error', data: { message: 'a defect' } }]);
    expect((await sendRaw(site.port, GET_LIGHT)).status).toBe(200);
  });

  test('that fails in the middle of a stream ends the connection', async () => {
    const broken: Route = {
      method: 'POST',
      path: '/broken',
      handle: () => ({
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        stream: async (write) => {
          write('data: 1\n\n');
          throw new TypeError('a defect');
        },
      }),
    };
    const site = await openSite({ routes: [broken] });
    const reply = await site.post('/broken', {});
    await expect(reply.text()).rejects.toThrow();
    expect(defects(site)).toMatchObject([{ event: 'tool.internal_error' }]);
  });

  test('gets the body byte for byte, however it comes', async () => {
    const bodies: Uint8Array[] = [];
    const echo: Route = {
      method: 'POST',
      path: '/echo',
      handle: ({ body }) => {
        bodies.push(body);
        return { status: 204 };
      },
    };
    const site = await openSite({ routes: [echo] });
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, at) => at % 251));
    const connection = await openRaw(site.port);
    connection.write(postText('/echo', '', { 'content-length': '3000' }));
    for (let at = 0; at < bytes.length; at += 7) {
      connection.socket.write(bytes.subarray(at, at + 7));
      if (at % 350 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await connection.reply()).status).toBe(204);
    expect(Buffer.from(bodies[0] ?? []).equals(bytes)).toBe(true);
    connection.socket.destroy();
  });
});

describe('the end', () => {
  test('comes after what is under way, and refuses what comes meanwhile', async () => {
    const { route, held, letGo } = holding();
    const site = await openSite({ routes: [route, LIGHT] });
    const kept = await openRaw(site.port);
    kept.write(GET_LIGHT);
    expect((await kept.reply()).headers.get('connection')).toBe('keep-alive');
    const busy = await openRaw(site.port);
    busy.write(postText('/hold', '{}'));
    await until(() => held.length === 1);
    const stopped = site.listener.stop({ drainMs: 15_000, abortMs: 1000 });
    // Idle connections are closed, and nobody can open another.
    await kept.closed;
    await expect(openRaw(site.port)).rejects.toThrow('ECONNREFUSED');
    busy.write(postText('/hold', '{}'));
    letGo();
    const reply = await busy.reply();
    expect([reply.status, reply.headers.get('connection')]).toEqual([200, 'close']);
    expect(await stopped).toBe(true);
    expect(held).toHaveLength(1);
  });

  test('does not wait for ever: what is left is aborted', async () => {
    const { route, held } = holding();
    const site = await openSite({ routes: [route] });
    const connection = await openRaw(site.port);
    connection.write(postText('/hold', '{}'));
    await until(() => held.length === 1);
    expect(await site.listener.stop({ drainMs: 50, abortMs: 5000 })).toBe(true);
    expect(held[0]?.signal.aborted).toBe(true);
    expect(held[0]?.stopping.aborted).toBe(true);
    await connection.closed;
  });

  test('comes though a route ignores it', async () => {
    const stuck: Route = { method: 'POST', path: '/stuck', handle: () => new Promise(() => undefined) };
    const site = await openSite({ routes: [stuck] });
    const connection = await openRaw(site.port);
    connection.write(postText('/stuck', '{}'));
    await until(() => site.listener.load().running === 1);
    expect(await site.listener.stop({ drainMs: 20, abortMs: 20 })).toBe(false);
    await connection.closed;
  });

  test('comes sooner when asked', async () => {
    const { route, held } = holding();
    const site = await openSite({ routes: [route] });
    const connection = await openRaw(site.port);
    connection.write(postText('/hold', '{}'));
    await until(() => held.length === 1);
    const sooner = Promise.resolve();
    expect(await site.listener.stop({ drainMs: 600_000, abortMs: 5000, sooner })).toBe(true);
    await connection.closed;
  });
});

describe('an address', () => {
  test('that is taken is named', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const site = await openSite({ routes: [LIGHT] });
    await site.listener.stop({ drainMs: 0, abortMs: 0 });
    await expect(site.listener.listen('127.0.0.1', port)).rejects.toThrow(`port_in_use: 127.0.0.1:${port} is taken`);
    other.close();
  });

  test('that this machine does not have is no host to listen on', async () => {
    const site = await openSite({ routes: [LIGHT] });
    await site.listener.stop({ drainMs: 0, abortMs: 0 });
    await expect(site.listener.listen('192.0.2.1', 0)).rejects.toThrow(
      'invalid_host: nobody can listen on 192.0.2.1:0',
    );
  });
});
