import {
  DEFAULT_TOOLS,
  ENVIRONMENT,
  type EnvName,
  parseBoolean,
  parseInteger,
  parsePrunerUrl,
  TOOL_SETS,
  TOOLS,
} from '@jeeves/protocol';
import { type Config, type Environment, given, type Reading } from './config.ts';
import type { OutputMode } from './host/reply.ts';
import type { PrunerSetting } from './pruner/target.ts';

/** A value that cannot be used as it stands. */
export interface ConfigProblem {
  readonly variable: EnvName;
  readonly message: string;
}

export interface Settings {
  readonly config: Config;
  readonly problems: readonly ConfigProblem[];
}

type Report = (variable: EnvName, message: string) => void;

/** Reads the rest. What cannot be used gets its default and is listed in `problems`. */
export function readSettings({ env, launch, root, rootProblem }: Reading): Settings {
  const problems: ConfigProblem[] = [];
  const report: Report = (variable, message) => problems.push({ variable, message });
  if (rootProblem !== undefined) report('MCP_PRUNER_CWD', rootProblem);
  const { tools, home } = launch;
  const storeUrl = given(env, 'JEEVES_STORE')?.replace(/^sqlite:~(?=[/\\])/, () => `sqlite:${home}`);
  const config = Object.freeze({
    root,
    tools: readTools(tools ?? given(env, 'MCP_PRUNER_TOOLS'), report),
    pruner: readPruner(env['PRUNER_URL'], report),
    prunerTimeoutMs: readInteger(env, 'PRUNER_TIMEOUT_MS', report),
    output: readOutput(env, report),
    shellLogin: parseBoolean(given(env, 'MCP_PRUNER_SHELL_LOGIN') ?? 'true'),
    home,
    pruneIdTtlMs: readInteger(env, 'MCP_PRUNER_PRUNE_ID_TTL_S', report) * 1000,
    environment: env,
    ...(storeUrl !== undefined && { storeUrl }),
  });
  return { config, problems };
}

/** Names that mean nothing are left out: whoever wrote a list wanted no more than what is on it. */
function readTools(list: string | undefined, report: Report): readonly string[] {
  if (list === undefined) return namesOf(DEFAULT_TOOLS);
  const wanted = list.split(',').map((name) => name.trim());
  const unknown = wanted.filter((name) => name !== '' && toolsNamed(name).length === 0);
  if (unknown.length > 0) report('MCP_PRUNER_TOOLS', `no such tool or set: ${JSON.stringify(unknown.slice(0, 10))}`);
  const chosen = new Set(wanted.flatMap(toolsNamed));
  if (chosen.size === 0) {
    report('MCP_PRUNER_TOOLS', 'it names no tool');
    return namesOf(DEFAULT_TOOLS);
  }
  // Whatever is taken out of a text must be recoverable.
  if (PRUNING_TOOLS.some((name) => chosen.has(name))) chosen.add('recover_text');
  return namesOf(TOOLS.filter(({ name }) => chosen.has(name)));
}

const SETS = ['files', 'text', 'context'] as const;
const PRUNING_TOOLS = ['read', 'bash', 'grep', 'prune_text'];

function toolsNamed(name: string): readonly string[] {
  const set = SETS.find((known) => known === name);
  if (set !== undefined) return namesOf(TOOL_SETS[set]);
  return namesOf(TOOLS.filter((tool) => tool.set !== 'catalogue' && tool.name === name));
}

function namesOf(tools: readonly { readonly name: string }[]): readonly string[] {
  return tools.map(({ name }) => name);
}

function readPruner(value: string | undefined, report: Report): PrunerSetting {
  if (value === undefined) return { kind: 'auto', url: ENVIRONMENT.PRUNER_URL.default };
  const parsed = parsePrunerUrl(value);
  if (!parsed.ok) {
    report('PRUNER_URL', `${parsed.message}; pruning is off`);
    return { kind: 'off' };
  }
  if (parsed.value.kind === 'http' && leavesInTheClear(parsed.value.url)) {
    report('PRUNER_URL', 'tool output leaves this machine unencrypted; prefer https');
  }
  return parsed.value;
}

function leavesInTheClear(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const local = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  return protocol === 'http:' && !local;
}

function readInteger(
  env: Environment,
  name: 'PRUNER_TIMEOUT_MS' | 'MCP_PRUNER_PRUNE_ID_TTL_S',
  report: Report,
): number {
  const { default: usual, min, max } = ENVIRONMENT[name];
  const value = given(env, name);
  if (value === undefined) return usual;
  const parsed = parseInteger(value, { min, max });
  if (parsed.ok) return parsed.value;
  report(name, parsed.message);
  return usual;
}

function readOutput(env: Environment, report: Report): OutputMode {
  const { default: usual, values } = ENVIRONMENT.MCP_PRUNER_OUTPUT;
  const value = given(env, 'MCP_PRUNER_OUTPUT');
  const known = values.find((mode) => mode === value);
  if (value !== undefined && known === undefined) report('MCP_PRUNER_OUTPUT', `expected one of ${values.join(', ')}`);
  return known ?? usual;
}
