import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EnvName } from '@jeeves/protocol';
import type { OutputMode } from './host/reply.ts';
import type { PrunerSetting } from './pruner/target.ts';

// The handshake waits for this file: it imports no more than it needs. What the environment says beyond the root is
// read in settings.ts, together with the contract that says how.

export type Environment = Readonly<Record<string, string | undefined>>;

/** All that the environment and the command line say, read once. */
export interface Config {
  /** Absolute; known to be a directory. */
  readonly root: string;
  /** Names of the tools to offer, in the order they are listed. */
  readonly tools: readonly string[];
  readonly pruner: PrunerSetting;
  readonly prunerTimeoutMs: number;
  readonly output: OutputMode;
  readonly shellLogin: boolean;
  readonly home: string;
  /** `JEEVES_STORE` with `~` expanded; absent means the file in the home directory. */
  readonly storeUrl?: string;
  readonly pruneIdTtlMs: number;
  /** What the server itself runs in; commands get a cleaned copy of it. */
  readonly environment: Environment;
}

/** How the program was started, apart from its environment. */
export interface Launch {
  /** `--tools`, which wins over the environment. */
  readonly tools?: string | undefined;
  readonly cwd: string;
  readonly home: string;
}

/** What must be known before anything else is done. */
export interface Reading {
  readonly env: Environment;
  readonly launch: Launch;
  /** Absolute. */
  readonly root: string;
  /** Why the root cannot be used: nothing can be served then. */
  readonly rootProblem?: string;
  /** Where every event is added to. Absolute. */
  readonly eventFile?: string;
}

export function readConfig(env: Environment, launch: Launch): Reading {
  const root = resolve(launch.cwd, given(env, 'MCP_PRUNER_CWD') ?? '.');
  const rootProblem = directoryProblem(root);
  const eventFile = given(env, 'JEEVES_EVENT_FILE');
  return {
    env,
    launch,
    root,
    ...(rootProblem !== undefined && { rootProblem }),
    ...(eventFile !== undefined && { eventFile: resolve(launch.cwd, eventFile) }),
  };
}

/** An empty variable counts as unset: shells and clients make it easy to leave one behind. `PRUNER_URL` differs. */
export function given(env: Environment, name: EnvName): string | undefined {
  const value = env[name]?.trim() ?? '';
  return value === '' ? undefined : value;
}

function directoryProblem(path: string): string | undefined {
  const shown = JSON.stringify(path);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return `${shown} does not exist`;
    return found.isDirectory() ? undefined : `${shown} is not a directory`;
  } catch (error) {
    return `${shown} cannot be opened (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`;
  }
}
