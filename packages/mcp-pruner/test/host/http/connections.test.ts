import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect } from 'vitest';
import { verifies } from '../../../../../test/e2e/verifies.ts';
import { HTTP_LIMITS } from '../../../src/host/http/limits.ts';
import type { Route } from '../../../src/host/http/route.ts';
import { openRaw, postText } from './raw.ts';
import { cleanUpSites, openSite } from './site.ts';

cleanUpSites();
const held: Socket[] = [];
afterAll(() => {
  for (const socket of held) socket.destroy();
});

let release: () => void = () => undefined;
const released = new Promise<void>((resolve) => {
  release = resolve;
});
const routes: Route[] = [
  { method: 'POST', path: '/now', handle: () => ({ status: 200, body: 'now' }) },
  {
    method: 'POST',
    path: '/later',
    handle: async () => {
      await released;
      return { status: 200, body: 'later' };
    },
  },
];

async function hold(port: number, count: number): Promise<Socket[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      held.push(socket);
      await once(socket, 'connect');
      return socket;
    }),
  );
}

async function answered(port: number): Promise<number> {
  const connection = await openRaw(port);
  connection.write(postText('/now', '{}'));
  try {
    return (await connection.reply()).status;
  } finally {
    connection.socket.destroy();
  }
}

describe('idle connections', () => {
  verifies('doors.idle-connections', 'lock nobody out, however many there are', async () => {
    const { port } = await openSite({ routes });
    await hold(port, HTTP_LIMITS.connections);
    await sleep(HTTP_LIMITS.makesRoomMs + 100);
    for (let round = 0; round < 20; round += 1) expect(await answered(port)).toBe(200);
  });

  verifies('doors.idle-connections', 'make room, the oldest first, and one that is worked on does not', async () => {
    const limits = { connections: 8, connectionsPerAddress: 4, makesRoomMs: 50 };
    const { port } = await openSite({ routes, limits });
    const working = await openRaw(port);
    working.write(postText('/later', '{}'));
    const idle = await hold(port, 3);
    await sleep(100);
    const closed = idle.map((socket) => once(socket, 'close'));
    expect(await answered(port)).toBe(200);
    await closed[0];
    expect(idle.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
    release();
    expect((await working.reply()).status).toBe(200);
    working.socket.destroy();
  });

  verifies(
    'doors.idle-connections',
    'of which nobody has been idle for long are all kept, and a new one is not',
    async () => {
      const limits = { connections: 8, connectionsPerAddress: 4, makesRoomMs: 60_000 };
      const { port } = await openSite({ routes, limits });
      const idle = await hold(port, 4);
      await expect(answered(port)).rejects.toThrow('the connection ended');
      expect(idle.every(({ destroyed }) => !destroyed)).toBe(true);
    },
  );

  verifies('doors.idle-connections', 'that send no head end within five seconds', () => {
    expect(HTTP_LIMITS.headersMs).toBeLessThanOrEqual(5000);
  });
});
