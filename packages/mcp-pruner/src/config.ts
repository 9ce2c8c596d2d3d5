import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EnvName } from '@jeeves/protocol';
import type { OutputMode } from './host/reply.ts';
import type { PrunerSetting } from './pruner/target.ts';
import type { ContextSettings } from './settings/context.ts';
import type { Judge } from './settings/judge.ts';

// The handshake waits for this file: it imports no more than it needs. What the environment says beyond the root, and
// all that the configuration file says, is read in settings.ts, together with the contract that says how.

export type Environment = Readonly<Record<string, string | undefined>>;

/** All that command line, environment and configuration file say, read once. */
export interface Config {
  /** Absolute; known to be a directory. */
  readonly root: string;
  /** Names of the tools to offer, in the order they are listed. */
  readonly tools: readonly string[];
  /** False when nobody chose them, and a transport may have a default of its own. */
  readonly toolsChosen: boolean;
  readonly pruner: PrunerSetting;
  readonly prunerTimeoutMs: number;
  readonly output: OutputMode;
  readonly shellLogin: boolean;
  readonly home: string;
  /** `JEEVES_STORE` with `~` expanded; absent means the file in the home directory. */
  readonly storeUrl?: string;
  /** How long texts stay recoverable that agents' tools pruned, and that `/rpc` did. */
  readonly pruneIdTtlMs: number;
  readonly rpcTtlMs: number;
  /** `prune_text` gives longer texts back whole. */
  readonly maxInputChars: number;
  readonly judge: Judge;
  readonly context: ContextSettings;
  /** Where an HTTP program listens, and whom it answers. */
  readonly listen: { readonly host: string; readonly port: number };
  readonly token?: string;
  readonly allowedHosts: readonly string[];
  /** What the server itself runs in; commands get a cleaned copy of it. */
  readonly environment: Environment;
  /** Names of variables that commands inherit beside the usual ones. */
  readonly environmentPass: readonly string[];
}

/** How the program was started, apart from its environment. */
export interface Launch {
  /** Flags as they were written. Each wins over the environment. */
  readonly tools?: string | undefined;
  readonly root?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  /** Set when the program listens for HTTP: a bad address ends it then. */
  readonly http?: { readonly defaultPort: number } | undefined;
  readonly cwd: string;
  readonly home: string;
}

/** What must be known before anything else is done. */
export interface Reading {
  readonly env: Environment;
  readonly launch: Launch;
  /** The root that flag or environment name: absolute. Where they are silent, the configuration file is asked later. */
  readonly root?: string;
  /** Why that root cannot be used: nothing can be served then. */
  readonly rootProblem?: string;
}

export function readConfig(env: Environment, launch: Launch): Reading {
  const named = launch.root ?? given(env, 'MCP_PRUNER_CWD');
  const root = named === undefined ? undefined : resolve(launch.cwd, named);
  const rootProblem = root === undefined ? undefined : directoryProblem(root);
  return {
    env,
    launch,
    ...(root !== undefined && { root }),
    ...(rootProblem !== undefined && { rootProblem }),
  };
}

/** An empty variable counts as unset: shells and clients make it easy to leave one behind. `PRUNER_URL` differs. */
export function given(env: Environment, name: EnvName): string | undefined {
  const value = env[name]?.trim() ?? '';
  return value === '' ? undefined : value;
}

/** Why a path is no directory to serve, if it is none. */
export function directoryProblem(path: string): string | undefined {
  const shown = JSON.stringify(path);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return `${shown} does not exist`;
    return found.isDirectory() ? undefined : `${shown} is not a directory`;
  } catch (error) {
    return `${shown} cannot be opened (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`;
  }
}
