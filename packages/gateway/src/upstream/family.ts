import { randomUUID } from 'node:crypto';
import { killWhere, signalGroup, startOf } from '@jeeves/process';
import { isOrphan } from './orphans.ts';
import { type Tag, tagIn, tagText } from './tag.ts';

/** The processes of a gateway: what runs at its word, and what must not be left behind. */
export interface Family {
  /** What marks the processes of an instance. */
  readonly tagFor: (instance: string) => string;
  readonly add: (leader: number, instance: string) => void;
  /** The instance is over. Whatever it started and left in another group is looked for in a moment. */
  readonly remove: (instance: string) => void;
  /** Ends all groups at once, for a process that has no time left. */
  readonly killGroups: () => void;
  /** Resolves when nothing of those that are over is left. */
  readonly settled: () => Promise<void>;
  /** Ends what gateways left behind that died without ending their servers. */
  readonly killOrphans: () => Promise<void>;
}

/** Looking through all processes takes a while, and servers that crash tend to do it again. */
const SWEEP_AFTER_MS = 1000;

export function createFamily(pid: number): Family {
  const started = startOf(pid) ?? '';
  // Another one in the same process is none of ours.
  const name = randomUUID();
  const running = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let due = false;

  async function sweep(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    due = false;
    await killTagged((tag) => tag.family === name && !running.has(tag.instance));
  }

  return {
    tagFor: (instance) => tagText({ owner: pid, started, family: name, instance }),
    add: (leader, instance) => void running.set(instance, leader),
    remove: (instance) => {
      running.delete(instance);
      due = true;
      timer ??= setTimeout(() => void sweep(), SWEEP_AFTER_MS).unref();
    },
    killGroups: () => {
      for (const leader of running.values()) signalGroup(leader, 'SIGKILL');
    },
    settled: async () => {
      if (due) await sweep();
    },
    killOrphans: async () => {
      await killTagged(isOrphan);
    },
  };
}

async function killTagged(matches: (tag: Tag, pid: number) => boolean): Promise<void> {
  await killWhere((environment, pid) => {
    const tag = tagIn(environment);
    return tag !== undefined && matches(tag, pid);
  });
}
