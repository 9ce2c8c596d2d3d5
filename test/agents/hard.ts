import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from './client.ts';
import { until } from './processes.ts';
import { kill, startWorld, type World } from './world.ts';

/** How long a server may take to notice that its client is no more, and to put its commands away. */
export const LEFT_MS = 5000;

/** A run in the middle of a call that takes forever. */
export async function startBusyWorld(client: Client): Promise<World> {
  const input = { command: 'touch started; sleep 300' };
  const world = await startWorld({ client, script: [{ call: 'pruner/bash', input }] });
  await until(() => existsSync(join(world.project, 'started')));
  return world;
}

/** Kills runner and client where they stand: nobody is left to put the server away. */
export function killHard(world: World, client: Client): void {
  const ours = world.processes().filter(({ pid, command }) => pid === world.runner.pid || client.program.test(command));
  if (ours.length < 2) throw new Error(`no client to be killed among ${JSON.stringify(world.processes())}`);
  for (const { pid } of ours) kill(pid);
}
