import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { configPath, type Environment } from '@jeeves/mcp-pruner/settings/path';

/**
 * All that environment and configuration file say, read once. Settings of services stay as written: only who uses one
 * needs it valid.
 */
export interface Config {
  readonly home: string;
  /** The environment itself, without what the file adds: for programs that are started, and for who explains it. */
  readonly environment: Environment;
  /** `JEEVES_STORE`, with `~` expanded; absent means the file in the home directory. */
  readonly storeUrl?: string;
  readonly colour: 'auto' | 'always' | 'never';
  readonly pruner: { readonly url?: string; readonly timeoutMs?: string };
  readonly deepinfra: {
    readonly apiKey?: string;
    readonly endpointUrl?: string;
    readonly timeoutMs?: string;
    readonly maxDocs?: string;
  };
}

/** Called once by the program; every other module is handed the result. */
export async function loadConfig(env: Environment = process.env, home: string = homedir()): Promise<Config> {
  // Most people have no such file, and need not wait for what reads one.
  if (!existsSync(configPath(env, home))) return readConfig(env, home);
  const { overlaid, readConfigFile } = await import('@jeeves/mcp-pruner/settings');
  const all = overlaid(env, await readConfigFile(env, home));
  return Object.freeze({ ...readConfig(all, home), environment: Object.freeze({ ...env }) });
}

/** The same without a file. */
export function readConfig(env: Environment, home: string): Config {
  const storeUrl = given(env, 'JEEVES_STORE')?.replace(/^sqlite:~(?=[/\\])/, () => `sqlite:${home}`);
  return deepFreeze({
    home,
    environment: { ...env },
    colour: colourOf(env),
    ...present({ storeUrl }),
    pruner: present({ url: given(env, 'PRUNER_URL'), timeoutMs: given(env, 'PRUNER_TIMEOUT_MS') }),
    deepinfra: present({
      apiKey: given(env, 'DEEPINFRA_API_KEY'),
      endpointUrl: given(env, 'DEEPINFRA_ENDPOINT_URL'),
      timeoutMs: given(env, 'DEEPINFRA_TIMEOUT_MS'),
      maxDocs: given(env, 'DEEPINFRA_MAX_DOCS'),
    }),
  });
}

/** An empty variable counts as unset, as shells make it easy to leave one behind. */
function given(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim() ?? '';
  return value === '' ? undefined : value;
}

function colourOf(env: Environment): Config['colour'] {
  if (given(env, 'NO_COLOR') !== undefined) return 'never';
  const forced = given(env, 'FORCE_COLOR');
  if (forced !== undefined) return forced === '0' || forced === 'false' ? 'never' : 'always';
  return env['TERM'] === 'dumb' ? 'never' : 'auto';
}

function present<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>;
  };
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const field of Object.values(value)) if (typeof field === 'object' && field !== null) deepFreeze(field);
  return Object.freeze(value);
}
