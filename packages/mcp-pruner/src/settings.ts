import { resolve } from 'node:path';
import {
  AUTO_PRUNER_URL,
  DEFAULT_TOOLS,
  ENVIRONMENT,
  parsePrunerUrl,
  replacedVariables,
  TOOL_SETS,
  TOOLS,
} from '@jeeves/protocol';
import { type Config, directoryProblem, type Reading } from './config.ts';
import type { OutputMode } from './host/reply.ts';
import type { PrunerSetting } from './pruner/target.ts';
import { readContext } from './settings/context.ts';
import { type ConfigProblem, readConfigFile } from './settings/file.ts';
import { readJudge } from './settings/judge.ts';
import { isLoopback, readListen } from './settings/listen.ts';
import { createValues, type Values } from './settings/values.ts';

export interface Settings {
  readonly config: Config;
  readonly problems: readonly ConfigProblem[];
  /** Why nothing can be served with these. */
  readonly refusal?: string;
  /** Where every event is added to. Absolute. */
  readonly eventFile?: string;
}

/** `/rpc` keeps texts for this long where nobody says otherwise (seed 002 §12). */
const RPC_TTL_S = 600;

/**
 * Flags over environment over configuration file over defaults. What cannot be used gets its default and is listed in
 * `problems`; a root or an address that cannot be used is a reason not to start.
 */
export async function readSettings(reading: Reading): Promise<Settings> {
  const { env, launch } = reading;
  const values = createValues(env, await readConfigFile(env, launch.home));
  const { root, refusal: rootRefusal } = readRoot(reading, values);
  const { refusal: listenRefusal, allowedHosts, ...listen } = readListen(values, launch);
  const storeUrl = values.text('JEEVES_STORE')?.replace(/^sqlite:~(?=[/\\])/, () => `sqlite:${launch.home}`);
  const chosen = launch.tools ?? values.text('MCP_PRUNER_TOOLS');
  const token = values.text('MCP_PRUNER_TOKEN');
  const prunerTimeoutMs = values.integer('PRUNER_TIMEOUT_MS');
  const output = readOutput(values);
  const ttlS = values.givenInteger('MCP_PRUNER_PRUNE_ID_TTL_S');
  const config: Config = {
    root,
    tools: readTools(chosen, values),
    toolsChosen: chosen !== undefined,
    pruner: readPruner(values),
    prunerTimeoutMs,
    output,
    shellLogin: values.boolean('MCP_PRUNER_SHELL_LOGIN'),
    home: launch.home,
    pruneIdTtlMs: (ttlS ?? ENVIRONMENT.MCP_PRUNER_PRUNE_ID_TTL_S.default) * 1000,
    rpcTtlMs: (ttlS ?? RPC_TTL_S) * 1000,
    maxInputChars: values.integer('MCP_PRUNER_MAX_INPUT_CHARS'),
    judge: readJudge(values),
    context: readContext(values),
    listen,
    allowedHosts,
    environment: env,
    environmentPass: values.list('MCP_PRUNER_ENV_PASS') ?? [],
    ...(token !== undefined && { token }),
    ...(storeUrl !== undefined && { storeUrl }),
  };
  const refusal = rootRefusal ?? listenRefusal;
  const eventFile = values.text('JEEVES_EVENT_FILE');
  return {
    config: frozen(config),
    problems: [...values.problems, ...replacedVariables(env, 'server')],
    ...(refusal !== undefined && { refusal }),
    ...(eventFile !== undefined && { eventFile: resolve(launch.cwd, eventFile) }),
  };
}

/** All the way down, but for the process's own environment. */
function frozen(config: Config): Config {
  for (const value of [config.judge.deepinfra, config.judge.cache, config.judge, config.listen, config.pruner]) {
    Object.freeze(value);
  }
  Object.freeze(config.tools);
  Object.freeze(config.allowedHosts);
  Object.freeze(config.environmentPass);
  return Object.freeze(config);
}

/** The root that flag or environment name was looked at before the handshake. */
function readRoot({ root, rootProblem, launch }: Reading, values: Values): { root: string; refusal?: string } {
  const found = root ?? resolve(launch.cwd, values.text('MCP_PRUNER_CWD') ?? '.');
  const problem = root === undefined ? directoryProblem(found) : rootProblem;
  if (problem === undefined) return { root: found };
  values.report('MCP_PRUNER_CWD', problem);
  // Seed 000 has a code for it; over stdio there is only the sentence.
  return { root: found, refusal: `${launch.http === undefined ? '' : 'invalid_root_dir: '}the root ${problem}` };
}

/** Names that mean nothing are left out: whoever wrote a list wanted no more than what is on it. */
function readTools(list: string | undefined, { report }: Values): readonly string[] {
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
const PRUNING_TOOLS = ['read', 'bash', 'grep', 'prune_text', 'context_retrieve_stashed', 'context_get_task_context'];

function toolsNamed(name: string): readonly string[] {
  const set = SETS.find((known) => known === name);
  if (set !== undefined) return namesOf(TOOL_SETS[set]);
  return namesOf(TOOLS.filter((tool) => tool.set !== 'catalogue' && tool.name === name));
}

function namesOf(tools: readonly { readonly name: string }[]): readonly string[] {
  return tools.map(({ name }) => name);
}

const AUTO = 'auto';

function readPruner(values: Values): PrunerSetting {
  const value = values.text('PRUNER_URL');
  if (value === undefined) return { kind: 'embedded' };
  if (value.trim() === AUTO) return { kind: 'auto', url: AUTO_PRUNER_URL };
  const parsed = parsePrunerUrl(value);
  if (!parsed.ok) {
    values.report('PRUNER_URL', `${parsed.message}; pruning is off`);
    return { kind: 'off' };
  }
  if (parsed.value.kind === 'http' && leavesInTheClear(parsed.value.url)) {
    values.report('PRUNER_URL', 'tool output leaves this machine unencrypted; prefer https');
  }
  return parsed.value;
}

function leavesInTheClear(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

function readOutput(values: Values): OutputMode {
  const { default: usual, values: modes } = ENVIRONMENT.MCP_PRUNER_OUTPUT;
  const value = values.text('MCP_PRUNER_OUTPUT');
  const known = modes.find((mode) => mode === value);
  if (value !== undefined && known === undefined) {
    values.report('MCP_PRUNER_OUTPUT', `expected one of ${modes.join(', ')}`);
  }
  return known ?? usual;
}
