import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** All that are open at once, and those of one address. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** A connection on which nothing happened for this long makes room for a new one when there are too many. */
  readonly makesRoomMs: number;
}

/** Who is connected. */
export interface Connections {
  /** Takes a connection, or closes it when there is no room and nobody idle to make some. */
  readonly admit: (socket: Socket) => void;
  /** Something happened on it: it is not the first to go. */
  readonly used: (socket: Socket) => void;
}

/**
 * Bounds connections. A caller that merely holds many of them open locks nobody out: the one that has been idle longest,
 * of the address that holds most, goes when a new one comes.
 */
export function createConnections(
  limits: ConnectionLimits,
  busy: () => ReadonlySet<Socket>,
  now: () => number,
): Connections {
  // Both maps keep the order in which something happened last, so the first idle one is the oldest.
  const byAddress = new Map<string, Map<Socket, number>>();
  let total = 0;

  function admit(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const own = byAddress.get(address) ?? new Map<Socket, number>();
    const isRoom =
      (own.size < limits.connectionsPerAddress || makeRoom(own)) && (total < limits.connections || makeRoom(largest()));
    if (!isRoom) {
      socket.destroy();
      return;
    }
    byAddress.set(address, own);
    own.set(socket, now());
    total += 1;
    socket.once('close', () => forget(address, socket));
  }

  function forget(address: string, socket: Socket): void {
    const own = byAddress.get(address);
    if (own?.delete(socket) !== true) return;
    total -= 1;
    if (own.size === 0) byAddress.delete(address);
  }

  function makeRoom(own: ReadonlyMap<Socket, number>): boolean {
    const working = busy();
    for (const [socket, since] of own) {
      if (now() - since < limits.makesRoomMs) return false;
      if (working.has(socket)) continue;
      // At once, not when it has closed: the next one may come before that.
      for (const address of byAddress.keys()) forget(address, socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  function largest(): ReadonlyMap<Socket, number> {
    return [...byAddress.values()].reduce((most, each) => (each.size > most.size ? each : most), new Map());
  }

  return {
    admit,
    used: (socket) => {
      const own = byAddress.get(socket.remoteAddress ?? '');
      if (own?.delete(socket) === true) own.set(socket, now());
    },
  };
}
