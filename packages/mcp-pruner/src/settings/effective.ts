import {
  ENV_VARIABLES,
  ENVIRONMENT,
  type EnvName,
  type EnvVariable,
  parseBoolean,
  parseHttpUrl,
  parseInteger,
  parsePrunerUrl,
} from '@jeeves/protocol';
import { readConfig } from '../config.ts';
import { readSettings } from '../settings.ts';
import { readConfigFile } from './file.ts';
import { cacheName } from './judge.ts';
import { MASK, masked } from './masked.ts';
import type { Environment } from './path.ts';
import { createValues, type Origin, type Values } from './values.ts';

/** One setting as it is in force. */
export interface EffectiveSetting {
  readonly name: EnvName;
  /** Null when there is none. Secrets, and what may be one in an address, are masked. */
  readonly value: string | null;
  readonly origin: Origin;
  /** Its key in the configuration file, where it may stand in one. */
  readonly toml?: string;
}

export interface Effective {
  readonly file: { readonly path: string; readonly exists: boolean };
  readonly settings: readonly EffectiveSetting[];
  readonly problems: readonly { readonly variable: string; readonly message: string }[];
  /** Why a server would not start with them. */
  readonly refusal?: string;
}

/** Every setting of the product, where it comes from, and what is wrong with any of them. */
export async function effectiveSettings(env: Environment, launch: { cwd: string; home: string }): Promise<Effective> {
  const file = await readConfigFile(env, launch.home);
  const values = createValues(env, { ...file, problems: [] });
  const http = { defaultPort: ENV_VARIABLES.MCP_PRUNER_PORT.default as number };
  const { config, problems, refusal } = await readSettings(readConfig(env, { ...launch, http }));
  const backend = backendOf(values, config.judge.backend);
  return {
    file: { path: file.path, exists: file.exists },
    settings: (Object.keys(ENV_VARIABLES) as EnvName[]).map((name) =>
      name === backend.name ? backend : inForce(settingOf(name, values), values, config),
    ),
    problems,
    ...(refusal !== undefined && { refusal }),
  };
}

function settingOf(name: EnvName, values: Values): EffectiveSetting {
  const variable: EnvVariable = ENV_VARIABLES[name];
  const said = values.text(name);
  const usable = said === undefined ? undefined : usableValue(said, variable, name);
  const value = usable ?? (variable.default === null ? null : String(variable.default));
  const origin = usable === undefined ? 'default' : values.origin(name);
  const { toml } = variable;
  const shown = value !== null && variable.kind === 'secret' ? MASK : value && masked(value);
  return { name, value: shown, origin, ...(toml !== undefined && { toml }) };
}

/** What a server makes of it; undefined where it falls back to the default. */
function usableValue(value: string, { kind, min, max, values }: EnvVariable, name: EnvName): string | undefined {
  if (kind === 'integer') {
    const parsed = parseInteger(value, { min: min ?? 0, max: max ?? Number.MAX_SAFE_INTEGER });
    return parsed.ok ? String(parsed.value) : undefined;
  }
  if (kind === 'boolean') return String(parseBoolean(value));
  if (values !== undefined) return values.includes(value) ? value : undefined;
  // An address that cannot be used turns pruning off rather than sending texts to the default one.
  if (name === 'PRUNER_URL' && value === 'auto') return value;
  if (name === 'PRUNER_URL' || name === 'JEEVES_PRUNER_URL') return parsePrunerUrl(value).ok ? value : '';
  return kind === 'url' && !parseHttpUrl(value).ok ? undefined : value;
}

/**
 * One setting goes by two names; in force is, under both of them, what the deciding name says. The root is a directory,
 * whatever it was given as.
 */
function inForce(setting: EffectiveSetting, values: Values, { root }: { readonly root: string }): EffectiveSetting {
  const { name, toml } = setting;
  if (name === 'MCP_PRUNER_CWD') return { ...setting, value: root };
  if (name !== 'MCP_PRUNER_CACHE_MAX_ITEMS' && name !== 'MCP_PRUNER_CACHE_MAX_ENTRIES') return setting;
  return { ...settingOf(cacheName(values), values), name, ...(toml !== undefined && { toml }) };
}

/** Who judges is settled between environment and file: an unknown name in one leaves it to the other. */
function backendOf(values: Values, backend: string): EffectiveSetting {
  const name = 'KIMI_PRUNING_BACKEND';
  const { env, file } = values.both(name);
  const { toml } = ENVIRONMENT[name];
  return { name, toml, value: backend, origin: namesBackend(env) ? 'env' : namesBackend(file) ? 'file' : 'default' };
}

function namesBackend(value: string | undefined): boolean {
  return /^(?:heuristic|deepinfra|cloud)$/i.test(value ?? '');
}
