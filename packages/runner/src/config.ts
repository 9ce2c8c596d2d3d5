import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** What `process.env` looks like to a reader. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** All that the environment says to the runner, read once. Values stay as written: `mcpConfig` says which are usable. */
export interface RunnerConfig {
  /** `JEEVES_PRUNER_ENABLED`; absent when unset. An empty one is a value: it says no. */
  readonly enabled?: string;
  /** `JEEVES_PRUNER_URL`; an empty one is a value: it turns pruning off. */
  readonly url?: string;
  /** `JEEVES_MCP_PRUNER_PATH`, absolute: a relative one is meant from where the runner was started. */
  readonly serverPath?: string;
  /** `JEEVES_STORE` with `~` expanded, or the file in the home directory. */
  readonly store: string;
  /** `PRUNER_TIMEOUT_MS` and every `MCP_PRUNER_*` that is set: agent clients pass on nothing they are not given. */
  readonly serverEnv: Readonly<Record<string, string>>;
  /** What the agent's own client sees: keys, base URLs, `PATH`. */
  readonly agentEnv: Environment;
  /** Where runs are recorded unless a caller says so: agent clients strip XDG variables, so none is consulted. */
  readonly runsDirectory: string;
}

/** Called once by whoever starts runs; every other module is handed the result. */
export function readRunnerConfig(env: Environment = process.env, home: string = homedir()): RunnerConfig {
  const state = join(home, '.local', 'state', 'jeeves');
  const enabled = env['JEEVES_PRUNER_ENABLED'];
  const serverPath = given(env, 'JEEVES_MCP_PRUNER_PATH');
  const url = env['JEEVES_PRUNER_URL'];
  const store = given(env, 'JEEVES_STORE')?.replace(/^sqlite:~(?=[/\\])/, () => `sqlite:${home}`);
  return Object.freeze({
    ...(enabled !== undefined && { enabled }),
    ...(url !== undefined && { url }),
    ...(serverPath !== undefined && { serverPath: resolve(serverPath) }),
    store: store ?? `sqlite:${join(state, 'jeeves.db')}`,
    serverEnv: serverVariables(env),
    agentEnv: env,
    runsDirectory: join(state, 'runs'),
  });
}

function serverVariables(env: Environment): Readonly<Record<string, string>> {
  const names = Object.keys(env).filter((name) => name === 'PRUNER_TIMEOUT_MS' || name.startsWith('MCP_PRUNER_'));
  // The root is the run's own directory, whatever the runner's environment says of another server's.
  const passed = names.filter((name) => name !== 'MCP_PRUNER_CWD' && given(env, name) !== undefined);
  return Object.fromEntries(passed.map((name) => [name, env[name] ?? '']));
}

/** An empty variable counts as unset: shells make it easy to leave one behind. */
function given(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim() ?? '';
  return value === '' ? undefined : value;
}

/** What the command `jeeves run` makes of it: a user who set nothing gets pruning, by the engine in the server. */
export function withPruning(config: RunnerConfig): RunnerConfig {
  return { ...config, enabled: config.enabled ?? 'true', url: config.url ?? 'embedded:' };
}

/** The same without a server: `--no-prune`, and the baseline of a comparison. */
export function withoutPruning(config: RunnerConfig): RunnerConfig {
  return { ...config, enabled: 'false' };
}
