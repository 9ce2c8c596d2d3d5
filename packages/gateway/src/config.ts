import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Environment } from './config/expand.ts';
import { parseConfig } from './config/parse.ts';
import { ConfigError, type GatewayConfig } from './config/server.ts';

export interface ConfigSource {
  /** The file that was named; absent means the one in the home directory. */
  readonly path?: string | undefined;
  readonly cwd: string;
  readonly home?: string;
  readonly env?: Environment;
}

/** The configuration and the variables that upstream programs may be given some of. */
export interface LoadedConfig extends GatewayConfig {
  readonly path: string;
  readonly env: Environment;
}

const MAX_CONFIG_BYTES = 4 * 1024 * 1024;

/**
 * Reads the file that was named, else the user's own. Nothing in the working tree is ever looked for: a repository must
 * not decide which programs start.
 */
export function loadConfig(source: ConfigSource): LoadedConfig {
  const { cwd, home = homedir(), env = process.env } = source;
  const path = source.path === undefined ? defaultConfigPath(home) : resolve(cwd, source.path);
  const parsed = parseConfig(readText(path, source.path), { env, directory: dirname(path), cwd });
  return { ...parsed, path, env };
}

export function defaultConfigPath(home: string): string {
  return join(home, '.config', 'jeeves', 'gateway.json');
}

function readText(path: string, named: string | undefined): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    const hint = named === undefined ? '; write your mcpServers there, or name a file with --config' : '';
    throw new ConfigError(path, `there is no such file${hint}`);
  }
  if (!found.isFile()) throw new ConfigError(path, 'is not a file');
  if (found.size > MAX_CONFIG_BYTES) throw new ConfigError(path, `is larger than ${MAX_CONFIG_BYTES} bytes`);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(path, `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  }
}
