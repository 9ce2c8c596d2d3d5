import type { ServerConfig } from '../config/server.ts';
import type { UpstreamServer } from './server.ts';
import { type ServerStatus, type UnusableServer, unusableStatus } from './status.ts';
import type { Upstreams } from './upstream.ts';

export interface RosterOptions {
  readonly open: (config: ServerConfig) => UpstreamServer;
  readonly servers: readonly ServerConfig[];
  readonly unusable: readonly UnusableServer[];
  readonly onChanged: () => void;
}

/** Which servers there are, as the configuration has it now. Each is listed as soon as it is there. */
export interface Roster extends Pick<Upstreams, 'reconfigure'> {
  readonly all: () => readonly UpstreamServer[];
  readonly status: () => readonly ServerStatus[];
}

export function createRoster({ open, onChanged, ...first }: RosterOptions): Roster {
  let unusable = first.unusable;
  let all = first.servers.map(open);
  for (const server of all) void server.listed();

  /** Servers whose entry is the same go on as they are; the others end, and those that are new start. */
  async function reconfigure(configs: readonly ServerConfig[], broken: readonly UnusableServer[]): Promise<void> {
    const before = all;
    const same = ({ name, fingerprint }: ServerConfig): UpstreamServer | undefined =>
      before.find(({ config }) => config.name === name && config.fingerprint === fingerprint);
    unusable = broken;
    all = configs.map((config) => same(config) ?? open(config));
    for (const server of all) if (!before.includes(server)) void server.listed();
    onChanged();
    await Promise.all(before.filter((server) => !all.includes(server)).map((server) => server.close()));
  }

  return {
    all: () => all,
    status: () => [...all.map((server) => server.status()), ...unusable.map(unusableStatus)],
    reconfigure,
  };
}
