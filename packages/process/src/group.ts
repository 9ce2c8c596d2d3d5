import { sendSignal } from './signal.ts';
import { isDead, readStat } from './table.ts';
import { visitAll } from './walk.ts';

/** Signals a process group, or where there are none its leader. Says whether it still exists; 0 only asks. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  return sendSignal(process.platform === 'win32' ? leader : -leader, signal);
}

/** Whether a process group has a member that runs. The dead who wait for their parent to notice do not count. */
export async function groupRuns(leader: number): Promise<boolean> {
  if (!signalGroup(leader, 0)) return false;
  let runs = false;
  const shown = await visitAll((pid) => {
    const stat = readStat(pid);
    runs = stat?.group === leader && !isDead(stat);
    return runs;
  });
  // Where nobody can be looked at, the answer to the signal is all there is.
  return runs || shown === 0;
}
