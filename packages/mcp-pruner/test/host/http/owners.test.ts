import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { endianness } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createOwners, ownerIn } from '../../../src/host/http/owners.ts';

/** A real connection, as its server sees it. */
async function accepted(host: string): Promise<{ far: Socket; near: Socket; close: () => void }> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  const far = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, host);
  const [near] = (await once(server, 'connection')) as [Socket];
  far.on('error', () => undefined);
  const close = (): void => {
    far.destroy();
    near.destroy();
    server.close();
  };
  return { far, near, close };
}

const OWN = process.geteuid?.() ?? -1;
const LINUX = process.platform === 'linux';

describe('the owner of a connection', () => {
  test('is this user for a connection of this process, and only on Linux can that be told', async () => {
    const { near, close } = await accepted('127.0.0.1');
    expect(await createOwners(OWN).isSameUser(near)).toBe(LINUX);
    expect(await createOwners(OWN + 1).isSameUser(near)).toBe(false);
    close();
  });

  test('is nobody once the other end is closed', async () => {
    const { far, near, close } = await accepted('127.0.0.1');
    near.resume();
    far.destroy();
    await once(near, 'end');
    expect(await createOwners(OWN).isSameUser(near)).toBe(false);
    close();
  });

  test('is looked up once per connection, and a crowd shares the reads', async () => {
    let reads = 0;
    const owners = createOwners(1000, async () => {
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return '';
    });
    const { near, close } = await accepted('127.0.0.1');
    const others = await Promise.all(Array.from({ length: 20 }, () => accepted('127.0.0.1')));
    await Promise.all([near, ...others.map((each) => each.near)].map((socket) => owners.isSameUser(socket)));
    // Of each of two tables: the first read, one that the crowd shares, and one for who came late to the second table.
    expect(reads).toBeLessThanOrEqual(6);
    const before = reads;
    expect(owners.known(near)).toBe(false);
    expect(await owners.isSameUser(near)).toBe(false);
    expect(reads).toBe(before);
    close();
    for (const each of others) each.close();
  });

  test('is nobody when the tables cannot be read', async () => {
    const { near, close } = await accepted('127.0.0.1');
    expect(await createOwners(OWN, async () => await Promise.reject(new Error('EACCES'))).isSameUser(near)).toBe(false);
    close();
  });
});

const ends = { remoteAddress: '127.0.0.1', remotePort: 0xa8dd, localAddress: '127.0.0.1', localPort: 8006 };
const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';

function row(local: string, remote: string, userId: number, { state = '01', inode = 201_563 } = {}): string {
  return `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${userId}        0 ${inode} 1 0000 100 0\n`;
}

describe.runIf(endianness() === 'LE')('a table of connections', () => {
  const client = '0100007F:A8DD';
  const server = '0100007F:1F46';
  test.each<[string, string, typeof ends, number | undefined]>([
    ['the client’s row counts', row(client, server, 1000), ends, 1000],
    ['the server’s own row does not', row(server, client, 0), ends, undefined],
    ['the right row counts among others', row(server, client, 0) + row(client, server, 7), ends, 7],
    ['another port is another connection', row('0100007F:A8DE', server, 1000), ends, undefined],
    ['another loopback address is another connection', row('0200007F:A8DD', server, 1000), ends, undefined],
    ['a closed socket is nobody’s', row(client, server, 0, { state: '05', inode: 0 }), ends, undefined],
    ['an empty table has nobody', '', ends, undefined],
    [
      'IPv4 through a socket for IPv6 counts',
      row('0000000000000000FFFF00000100007F:A8DD', '0000000000000000FFFF00000100007F:1F46', 5),
      ends,
      5,
    ],
    [
      'IPv6 counts',
      row('00000000000000000000000001000000:A8DD', '00000000000000000000000001000000:1F46', 6),
      { ...ends, remoteAddress: '::1', localAddress: '::1' },
      6,
    ],
    ['no address is nobody’s', row(client, server, 1000), { ...ends, remoteAddress: '' }, undefined],
  ])('%s', (_, rows, of, owner) => {
    expect(ownerIn(HEAD + rows, of)).toBe(owner);
  });
});
