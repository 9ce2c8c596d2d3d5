import type { Emit } from '@jeeves/protocol';
import { type ConfigSource, loadConfig } from './config.ts';
import { stateDirectory } from './upstream/state.ts';
import type { ServerStatus } from './upstream/status.ts';
import { createUpstreams, type UpstreamsOptions } from './upstream/upstreams.ts';

/** What became of one server when it was started. */
export interface ServerCheck {
  readonly server: string;
  readonly ok: boolean;
  readonly tools: number;
  /** How long it took until its tools were known; absent when they never were. */
  readonly milliseconds?: number;
  readonly problem?: string;
  /** What its owner must do. */
  readonly fix?: string;
}

export interface CheckOptions
  extends ConfigSource,
    Pick<UpstreamsOptions, 'version' | 'now' | 'fetch' | 'pid' | 'onExit'> {
  readonly home: string;
}

/** Starts every configured server, asks each for its tools, and ends them all. Throws a `ConfigError` without a file. */
export async function checkServers(options: CheckOptions): Promise<readonly ServerCheck[]> {
  const config = loadConfig(options);
  const began = performance.now();
  const times = new Map<string, number>();
  const emit: Emit = ({ event, data }) => {
    if (event === 'gateway.upstream_listed' && !times.has(data.server)) {
      times.set(data.server, Math.round(performance.now() - began));
    }
  };
  const upstreams = createUpstreams({
    ...options,
    servers: config.servers,
    unusable: config.unusable,
    env: config.env,
    stateDirectory: stateDirectory(options.home),
    emit,
  });
  try {
    await upstreams.refreshed();
    return upstreams.status().map((status) => checkOf(status, times.get(status.server)));
  } finally {
    await upstreams.close();
  }
}

function checkOf({ server, state, tools, problem, fix }: ServerStatus, milliseconds: number | undefined): ServerCheck {
  const facts = { server, tools, ...(milliseconds !== undefined && { milliseconds }) };
  if (state === 'listed' && milliseconds !== undefined) return { ...facts, ok: true };
  return { ...facts, ok: false, problem: problem ?? 'did not answer in time', ...(fix !== undefined && { fix }) };
}
