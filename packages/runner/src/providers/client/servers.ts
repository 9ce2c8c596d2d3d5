import { followEventFile } from '../../eventFile.ts';
import type { ProviderRunOptions } from '../../provider.ts';

/** What a provider knows of the servers its client started. */
export interface Servers {
  /** Looks at what the servers themselves have written by now. Not while a call runs: news may end the server. */
  readonly look: () => void;
  /** The client says that it is connected. */
  readonly connected: (server: string) => void;
  readonly failed: (server: string, message: string) => void;
  readonly died: (server: string, message: string) => void;
  /** Process numbers that servers gave. */
  readonly pids: () => readonly number[];
  readonly stop: () => void;
}

type Needs = Pick<ProviderRunOptions, 'mcpServers' | 'eventFile' | 'onServer'>;

/**
 * Puts together what a client says of its servers and what they say of themselves: each start writes one
 * `mcp_pruner.ready`, so more of them than the client owns up to means that it started one again.
 */
export function watchServers({ mcpServers = {}, eventFile, onServer }: Needs): Servers {
  // Only one server of a run is given the event file.
  const name = Object.keys(mcpServers).find((key) => mcpServers[key]?.env?.['JEEVES_EVENT_FILE'] === eventFile);
  const pids: number[] = [];
  let starts = 0;
  let reported = 0;
  function ready(server: string): void {
    reported += 1;
    onServer({ server, status: 'ready', pid: pids.at(-1) });
  }
  const file =
    eventFile === undefined || name === undefined
      ? undefined
      : followEventFile(eventFile, ({ event, data }) => {
          if (event !== 'mcp_pruner.ready') return;
          starts += 1;
          if (typeof data?.['pid'] === 'number') pids.push(data['pid']);
        });
  return {
    look() {
      file?.drain();
      if (name !== undefined && starts > reported) ready(name);
    },
    connected(server) {
      file?.drain();
      if (reported === 0) ready(server);
    },
    failed: (server, message) => onServer({ server, status: 'failed', message }),
    died: (server, message) => onServer({ server, status: 'died', reason: 'exited', message }),
    pids: () => pids,
    stop: () => file?.stop(),
  };
}
