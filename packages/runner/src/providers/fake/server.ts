import type { McpServerConfig } from '@jeeves/protocol';
import type { ProviderRunOptions } from '../../provider.ts';
import { type Connection, connect } from './connection.ts';
import type { FakeScript } from './script.ts';

/** The pruner server as the fake agent sees it: there, or not. */
export interface FakeServer {
  readonly name: string;
  /** Nothing when it cannot be used. */
  readonly current: () => Connection | undefined;
  /** A fresh process in place of the old one, without a word to anybody. */
  readonly restart: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts the first configured server and reports how it fares; without one there is nothing to report. */
export async function startFakeServer(options: ProviderRunOptions, script: FakeScript): Promise<FakeServer> {
  const [name, config] = Object.entries(options.mcpServers ?? {})[0] ?? ['', undefined];
  let connection: Connection | undefined;
  const closing: Promise<void>[] = [];
  function drop(): void {
    if (connection !== undefined) closing.push(connection.close());
    connection = undefined;
  }
  const open = async (server: McpServerConfig): Promise<Connection> =>
    await connect(server, {
      cwd: options.cwd,
      env: options.env,
      startTimeoutMs: script.startTimeoutMs,
      callTimeoutMs: script.callTimeoutMs,
      abort: options.abort,
      onLost(loss) {
        drop();
        options.onServer({ server: name, status: 'died', ...loss });
      },
    });
  if (config !== undefined) {
    try {
      connection = await open(config);
      options.onServer({ server: name, status: 'ready', pid: connection.pid });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      options.onServer({ server: name, status: 'failed', message });
    }
  }
  options.withdraw.addEventListener('abort', () => {
    if (connection === undefined) return;
    drop();
    options.onServer({ server: name, status: 'withdrawn' });
  });
  return {
    name,
    current: () => connection,
    async restart() {
      if (config === undefined || connection === undefined) return;
      const old = connection;
      connection = undefined;
      await old.close();
      connection = await open(config).catch(() => undefined);
      // The second start may have been noticed before it was over.
      if (options.withdraw.aborted) drop();
    },
    async close() {
      drop();
      await Promise.all(closing);
    },
  };
}
