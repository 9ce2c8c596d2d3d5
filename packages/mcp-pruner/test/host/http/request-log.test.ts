import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Route } from '../../../src/host/http/route.ts';
import { openRaw, postText, sendRaw } from './raw.ts';
import { cleanUpSites, openSite, type Site, until } from './site.ts';

cleanUpSites();

const LIGHT: Route = { method: 'GET', path: '/light', light: true, handle: () => ({ status: 200, body: 'light' }) };

/** What the log says of requests, once it says so much. */
async function logged(site: Site, count: number): Promise<object[]> {
  const lines = (): object[] => site.events.flatMap(({ event, data }) => (event === 'http.request' ? [data] : []));
  await until(() => lines().length >= count);
  return lines();
}

describe('a request', () => {
  const duration_ms = expect.any(Number);

  test('leaves one line in the log, whatever becomes of it', async () => {
    const broken: Route = {
      method: 'GET',
      path: '/broken',
      handle: () => {
        throw new Error('a defect');
      },
    };
    const site = await openSite({ routes: [LIGHT, broken] });
    const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${site.port}${path}`, init);
    await ask('/light?token=secret');
    await ask('/nowhere');
    await ask('/light', { method: 'DELETE' });
    await ask('/broken');
    expect(await logged(site, 4)).toEqual([
      { method: 'GET', path: '/light', status: 200, duration_ms },
      { method: 'GET', path: '/nowhere', status: 404, duration_ms },
      { method: 'DELETE', path: '/light', status: 405, duration_ms },
      { method: 'GET', path: '/broken', status: 500, duration_ms },
    ]);
  });

  test('that cannot be read leaves one, and so does one whose caller left', async () => {
    let held = 0;
    const route: Route = {
      method: 'POST',
      path: '/hold',
      handle: async ({ signal }) => {
        held += 1;
        await once(signal, 'abort');
        return { status: 200 };
      },
    };
    const site = await openSite({ routes: [route] });
    expect((await sendRaw(site.port, 'no request\r\n\r\n')).status).toBe(400);
    const leaving = await openRaw(site.port);
    leaving.write(postText('/hold', '{}'));
    await until(() => held === 1);
    leaving.socket.destroy();
    expect(await logged(site, 2)).toEqual([
      { status: 400, duration_ms },
      { method: 'POST', path: '/hold', duration_ms },
    ]);
  });

  test('that breaks off in its body, or wants a tunnel, leaves one', async () => {
    const hold: Route = { method: 'POST', path: '/hold', handle: () => ({ status: 200 }) };
    const site = await openSite({ routes: [hold], limits: { headersMs: 200, requestMs: 300 } });
    const slow = await openRaw(site.port);
    slow.write(`${postText('/hold', '', { 'content-length': '100' })}{`);
    expect((await slow.reply()).status).toBe(408);
    expect((await sendRaw(site.port, 'CONNECT example.org:443 HTTP/1.1\r\nhost: example.org\r\n\r\n')).status).toBe(
      405,
    );
    await slow.closed;
    expect(await logged(site, 2)).toEqual([
      { method: 'POST', path: '/hold', status: 408, duration_ms },
      { method: 'CONNECT', status: 405, duration_ms },
    ]);
  });
});
