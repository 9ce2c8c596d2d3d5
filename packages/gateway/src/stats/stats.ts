import type { ServerConfig } from '../config/server.ts';
import { pinNew, toTools } from '../upstream/definitions.ts';
import { createStateStore, stateDirectory } from '../upstream/state.ts';
import { readTally } from './file.ts';
import { reportOf, type StatsReport, serverReports } from './report.ts';

/** What the gateways of this user counted, and what is remembered of these servers. Nothing is started. */
export async function readStats(home: string, servers: readonly ServerConfig[]): Promise<StatsReport> {
  const directory = stateDirectory(home);
  const { counts, calls } = await readTally(directory);
  return reportOf(counts, await serverReports(servers, createStateStore(directory), calls));
}

/** Takes the definitions of these servers as they are now for the ones to compare with. Returns what was changed. */
export async function approve(home: string, servers: readonly ServerConfig[]): Promise<readonly string[]> {
  const state = createStateStore(stateDirectory(home));
  const approved: string[] = [];
  for (const config of servers) {
    const remembered = await state.read(config);
    if (remembered === undefined) continue;
    const changed = toTools(config, remembered.listed, remembered.pins).filter((tool) => tool.changed);
    if (changed.length === 0) continue;
    const pins = pinNew(toTools(config, remembered.listed, {}), {});
    await state.write(config, { ...remembered, originals: {}, pins: { ...remembered.pins, ...pins } });
    approved.push(...changed.map(({ displayName }) => displayName));
  }
  return approved;
}
