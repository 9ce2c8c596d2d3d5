import { setTimeout as sleep } from 'node:timers/promises';
import { descendants, groupRuns, killProcess, killWhere, signalGroup } from '@jeeves/process';

const TERMINATE_MS = 250;
const POLL_MS = 10;
const SWEEP_MS = 300;
const SWEEP_POLL_MS = 5;
// One round misses a process that forks and exits while the list is read: measured, one in twenty of a chain of forks.
const ROUNDS = 2;
const THOROUGH_ROUNDS = 5;

/** A command with all that it started. The leader's number is that of the process group. */
export interface Tree {
  readonly leader: number;
  /** In the environment of every process of the tree. */
  readonly tag: string;
}

/**
 * Ends a whole tree: SIGTERM and a moment to clean up, SIGKILL, then everything that left the group. What stays beyond
 * reach is a process that left its group and its parent and threw away its environment as well.
 */
export async function endTree({ leader, tag }: Tree, leaderRuns: boolean): Promise<void> {
  // Asked only while the number surely belongs to our child.
  const below = leaderRuns ? await descendants(leader) : [];
  const remains = await groupRuns(leader);
  signalGroup(leader, 'SIGTERM');
  if (remains) await groupEnds(leader, TERMINATE_MS);
  signalGroup(leader, 'SIGKILL');
  below.forEach(killProcess);
  await sweep(tag, remains ? THOROUGH_ROUNDS : ROUNDS);
}

/** Resolves when no process of the group runs any more, or when the time is over. */
export async function groupEnds(leader: number, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while ((await groupRuns(leader)) && performance.now() < deadline) await sleep(POLL_MS);
}

/** Ends after so many rounds in a row that found nothing. */
async function sweep(tag: string, rounds: number): Promise<void> {
  const deadline = performance.now() + SWEEP_MS;
  for (let missing = rounds; missing > 0 && performance.now() < deadline; ) {
    missing = (await killWhere((environment) => environment.includes(tag))) === 0 ? missing - 1 : THOROUGH_ROUNDS;
    if (missing > 0) await sleep(SWEEP_POLL_MS);
  }
}
