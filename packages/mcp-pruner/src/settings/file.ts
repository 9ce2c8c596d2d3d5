import { readFile } from 'node:fs/promises';
import { ENV_VARIABLES, type EnvName, type EnvVariable } from '@jeeves/protocol';
import { configPath, type Environment } from './path.ts';

/** A value that cannot be used as it stands, and the variable it belongs to. */
export interface ConfigProblem {
  readonly variable: string;
  readonly message: string;
}

/** What a configuration file says, in the words of the environment. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  readonly exists: boolean;
  readonly values: Readonly<Partial<Record<EnvName, string>>>;
  readonly problems: readonly ConfigProblem[];
}

/** Reads the file. One that is missing says nothing; one that cannot be read or understood leaves the defaults. */
export async function readConfigFile(env: Environment, home: string): Promise<ConfigFile> {
  const path = configPath(env, home);
  const nothing = { path, exists: false, values: {}, problems: [] };
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && (env['JEEVES_CONFIG']?.trim() ?? '') === '') return nothing;
    return { ...nothing, problems: [unusable(path, `cannot be read (${code})`)] };
  }
  try {
    const { parse } = await import('smol-toml');
    return { path, exists: true, ...readTable(parse(text)) };
  } catch (error) {
    const line = typeof error === 'object' && error !== null && 'line' in error ? ` (line ${String(error.line)})` : '';
    return { ...nothing, exists: true, problems: [unusable(path, `is not valid TOML${line}`)] };
  }
}

// The parser's own message quotes the file, which may hold a secret.
function unusable(path: string, why: string): ConfigProblem {
  return { variable: 'JEEVES_CONFIG', message: `${JSON.stringify(path)} ${why}; the defaults are in force` };
}

type Table = Readonly<Record<string, unknown>>;

const KEYS: ReadonlyMap<string, EnvName> = new Map(
  (Object.entries(ENV_VARIABLES) as [EnvName, EnvVariable][]).flatMap(([name, { toml }]) =>
    toml === undefined ? [] : [[toml, name]],
  ),
);
const SECRET = /(?:^|[._-])(?:key|token|secret|password)$/i;
/** Sections that hold nothing but settings; others belong to parts of the product that read them themselves. */
const OWN_SECTIONS: ReadonlySet<string> = new Set(['mcp_pruner', 'runner']);

function readTable(root: Table): Pick<ConfigFile, 'values' | 'problems'> {
  const values: Partial<Record<EnvName, string>> = {};
  const problems: ConfigProblem[] = [];
  const report = (key: string, message: string, variable: EnvName = 'JEEVES_CONFIG'): void => {
    problems.push({ variable, message: `${JSON.stringify(key.slice(0, 80))} in the configuration file ${message}` });
  };
  for (const [key, value] of settingsOf(root)) {
    const name = KEYS.get(key);
    if (name !== undefined) {
      const text = asText(value, ENV_VARIABLES[name]);
      if (text === undefined) report(key, `has the wrong type: expected ${ENV_VARIABLES[name].kind}`, name);
      else values[name] = text;
    } else if (SECRET.test(key)) report(key, 'was ignored: secrets are read from the environment only', secretOf(key));
    else if (key.includes('.')) report(key, 'is no setting');
  }
  return { values, problems };
}

function settingsOf(root: Table): [string, unknown][] {
  return Object.entries(root).flatMap(([name, value]) => {
    if (!OWN_SECTIONS.has(name) || !isTable(value)) return [[name, value] as [string, unknown]];
    return Object.entries(value).map(([key, inner]): [string, unknown] => [`${name}.${key}`, inner]);
  });
}

function secretOf(key: string): EnvName {
  if (/api[_-]?key$/i.test(key)) return 'DEEPINFRA_API_KEY';
  return /token$/i.test(key) ? 'MCP_PRUNER_TOKEN' : 'JEEVES_CONFIG';
}

/** As the environment would spell it, so that both are read by the same rules. */
function asText(value: unknown, { kind }: EnvVariable): string | undefined {
  switch (kind) {
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : undefined;
    case 'integer':
      return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
    case 'list':
      if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',');
      return typeof value === 'string' ? value : undefined;
    default:
      return typeof value === 'string' ? value : undefined;
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
