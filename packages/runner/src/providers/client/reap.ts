import { endProcess, findWhere, isRunning, noteProcess, type ProcessRef, waitForEnd } from '@jeeves/process';

// A server that was told to end, or whose client is gone, needs two seconds at most to put its children away.
const LEAVE_MS = 2500;
const GRACE_MS = 500;

/**
 * Ends the servers that a client left behind, once it is gone itself. They are known by the event file in their
 * environment; where that cannot be read, by the process numbers they wrote into it.
 */
export async function endServers(eventFile: string | undefined, pids: readonly number[]): Promise<void> {
  const known = [...(eventFile === undefined ? [] : carriersOf(eventFile)), ...pids];
  const left = [...new Set(known)].map(noteProcess).filter((found) => found !== undefined);
  await Promise.all(left.map(endServer));
}

/** Most are already on their way out, with better manners than a signal from outside allows. */
async function endServer(server: ProcessRef): Promise<void> {
  if (await waitForEnd(server, LEAVE_MS)) return;
  if (isRunning(server)) await endProcess(server, GRACE_MS);
}

/** Linux only: the processes that were given this event file. */
function carriersOf(eventFile: string): number[] {
  const wanted = Buffer.from(`JEEVES_EVENT_FILE=${eventFile}\0`);
  return findWhere((environment) => environment.includes(wanted));
}
