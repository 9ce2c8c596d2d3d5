import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';

/** Tells whether the process at the other end of a loopback connection is of the same user as this one. */
export interface Owners {
  /** What is known already: the owner of a connection never changes, so it is looked up once. */
  readonly known: (socket: Socket) => boolean | undefined;
  readonly isSameUser: (socket: Socket) => Promise<boolean>;
}

/** The two ends of a connection as the server sees them. */
export interface Ends {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

/** The kernel's tables of connections, in the order in which they are asked. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'] as const;

/**
 * Looks owners up in the kernel's tables. Whoever is in none of them is nobody's: a connection whose other end is gone
 * or lies in another network namespace is not served.
 */
export function createOwners(userId: number, readTable: (path: string) => Promise<string> = readText): Owners {
  const found = new WeakMap<Socket, boolean>();
  const tables = TABLES.map((path) => sharedReads(() => readTable(path)));

  async function lookUp(socket: Socket): Promise<boolean> {
    for (const read of tables) {
      const owner = ownerIn(await read(), socket);
      if (owner !== undefined) return owner === userId;
    }
    return false;
  }

  return {
    known: (socket) => found.get(socket),
    isSameUser: async (socket) => {
      const same = found.get(socket) ?? (await lookUp(socket));
      found.set(socket, same);
      return same;
    },
  };
}

/** The user at the far end of a connection, by a table such as `/proc/net/tcp`; undefined when no process holds it. */
export function ownerIn(table: string, ends: Ends): number | undefined {
  for (const [far, near] of bothForms(ends)) {
    const at = table.indexOf(` ${far} ${near} `);
    if (at < 0) continue;
    const row = table.slice(at, table.indexOf('\n', at)).trim().split(/\s+/);
    const [, , , , , , userId, , inode] = row;
    // A socket whose process has closed it is shown as the superuser's, with no inode: anybody could have been it.
    if (inode !== undefined && inode !== '0') return Number(userId);
  }
  return undefined;
}

/** Both ends as a table spells them: IPv4 as such, and as a socket for IPv6 that speaks IPv4 shows it. */
function bothForms(ends: Ends): readonly (readonly [string, string])[] {
  const far = spelt(ends.remoteAddress, ends.remotePort);
  const near = spelt(ends.localAddress, ends.localPort);
  return far.flatMap((each, at) => (near[at] === undefined ? [] : [[each, near[at]] as const]));
}

function spelt(address = '', port = 0): readonly string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  // Only loopback addresses are ever asked about, and IPv6 has one.
  if (address === '::1') return [`${word([0, 0, 0, 0]).repeat(3)}${word([0, 0, 0, 1])}${suffix}`];
  const parts = address.replace(/^::ffff:/, '').split('.');
  if (parts.length !== 4) return [];
  const four = word(parts.map(Number));
  return [`${four}${suffix}`, `${word([0, 0, 0, 0]).repeat(2)}${word([0, 0, 0xff, 0xff])}${four}${suffix}`];
}

/** Four bytes as one number of this machine, in hexadecimal. */
function word(bytes: readonly number[]): string {
  const ordered = endianness() === 'LE' ? [...bytes].reverse() : bytes;
  return ordered.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('');
}

/**
 * Reads at most one table at a time. Whoever comes during a read waits for the next one, since its own connection may be
 * younger; a crowd of new connections therefore costs two reads, not one each.
 */
function sharedReads(read: () => Promise<string>): () => Promise<string> {
  let running: Promise<string> | undefined;
  let next: Promise<string> | undefined;
  const start = (): Promise<string> => {
    const started = read().catch(() => '');
    running = started;
    next = undefined;
    void started.then(() => {
      if (running === started) running = undefined;
    });
    return started;
  };
  return () => {
    if (running === undefined) return start();
    next ??= running.then(start);
    return next;
  };
}

async function readText(path: string): Promise<string> {
  return await readFile(path, 'latin1');
}
