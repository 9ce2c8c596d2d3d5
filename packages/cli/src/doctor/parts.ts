import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { askService, EngineError, newPruneId } from '@jeeves/engine';
import { type Effective, masked } from '@jeeves/mcp-pruner/settings';
import { AUTO_PRUNER_URL } from '@jeeves/protocol';
import type { Context } from '../context.ts';
import { counted } from '../output/numbers.ts';
import { openStoreOf } from '../store.ts';
import { broken, type Check, messageOf, ok, warning } from './check.ts';
import { GOAL, SAMPLE } from './sample.ts';
import { serverEntry } from './stdio.ts';

const run = promisify(execFile);

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19)
    ? ok('Node', version)
    : broken('Node', version, 'install Node 20.19 or later');
}

export function checkSettings({ file, problems, refusal }: Effective): Check {
  const said = problems.map(({ variable, message }) => `${variable}: ${message}`);
  if (refusal !== undefined) {
    const names = [...new Set(problems.map(({ variable }) => variable))].join(', ');
    return broken('settings', `no server would start: ${refusal}`, `correct ${names || 'the settings'}`, said);
  }
  if (said.length > 0) {
    return { ...warning('settings', counted(said.length, 'problem'), 'see `jeeves config`'), details: said };
  }
  return ok('settings', file.exists ? `read from the environment and ${file.path}` : 'read from the environment');
}

/** Puts a text into the configured store, opens the store anew and looks for it. */
export async function checkStore(context: Context): Promise<Check> {
  const name = 'store';
  const pruneId = newPruneId(context.randomBytes);
  try {
    const first = await openStoreOf(context);
    await first.put({ pruneId, text: SAMPLE, firstLine: 1, createdAt: context.now() }, 60_000);
    if (first.url === 'memory:') {
      await first.close();
      return warning(
        name,
        'memory: forgets every text when its process ends',
        'unset JEEVES_STORE, or set sqlite:<path>',
      );
    }
    await first.close();
    const second = await openStoreOf(context);
    const found = await second.get(pruneId);
    await second.close();
    if (found?.text !== SAMPLE)
      return broken(name, 'a text that was stored did not come back', 'check JEEVES_STORE and the disk');
    return ok(name, `${masked(second.url)} keeps texts`);
  } catch (error) {
    return broken(
      name,
      error instanceof EngineError ? error.message : messageOf(error),
      `${storeFix(error)}; until then texts last as long as their server`,
    );
  }
}

/** The engine's own words say what is wrong with this one store; this is what helps with any of its kind. */
function storeFix(error: unknown): string {
  const { code, data, message } = error instanceof EngineError ? error : new EngineError('store_failed', '');
  if (code === 'config_error') {
    return 'set JEEVES_STORE to sqlite:<path> or postgres://<user>:<password>@<host>/<database>, or unset it';
  }
  if (data['store'] !== undefined) return 'see to that server, correct JEEVES_STORE, or unset it to use a file';
  return /directory writable|ENOENT/.test(message)
    ? 'make its directory writable, or set JEEVES_STORE to a path that is'
    : 'see to that file and its disk, or set JEEVES_STORE to another path';
}

/** The search program: the one on the path, else the one that came along. */
export async function checkRipgrep(
  context: Context,
  broughtAlong: (context: Context) => string | undefined = bundledRipgrep,
): Promise<Check> {
  const { environment } = context.config;
  const bundled = broughtAlong(context);
  for (const program of ['rg', ...(bundled === undefined ? [] : [bundled])]) {
    try {
      const { stdout } = await run(program, ['--version'], { env: environment, timeout: 5000 });
      return ok('ripgrep', `${stdout.split('\n')[0]} (${program})`);
    } catch {
      // The next one may be there.
    }
  }
  try {
    await run('grep', ['--version'], { env: environment, timeout: 5000 });
  } catch {
    return broken('ripgrep', 'neither ripgrep nor grep is found: the tool grep cannot work', 'install ripgrep');
  }
  return warning('ripgrep', 'not found: grep is used, which ignores no files and is slower', 'install ripgrep');
}

function bundledRipgrep(context: Context): string | undefined {
  try {
    const { rgPath } = createRequire(serverEntry(context))('@vscode/ripgrep') as { rgPath?: string };
    return rgPath;
  } catch {
    return undefined;
  }
}

const SHELL_MS = 20_000;

/** What `bash -lc` costs over `bash -c` on this machine: profile files are read before every command. */
export async function checkShell(context: Context, login: boolean, limitMs: number = SHELL_MS): Promise<Check> {
  const name = 'login shell';
  let plain: number;
  try {
    plain = await timeShell(context, '-c', SHELL_MS);
  } catch (error) {
    const fix = 'install bash, or leave out the tool: MCP_PRUNER_TOOLS=read,grep';
    return broken(name, `bash cannot be run: ${messageOf(error)}`, fix);
  }
  if (!login) return ok(name, `bash -c takes ${plain} ms; profile files are left out`);
  const without = 'set MCP_PRUNER_SHELL_LOGIN=0 to leave profile files out';
  try {
    const asLogin = await timeShell(context, '-lc', limitMs);
    const said = `bash -lc takes ${asLogin} ms, bash -c ${plain} ms`;
    return asLogin - plain > 100 ? warning(name, said, without) : ok(name, said);
  } catch (error) {
    const { killed = false, code } = error as { killed?: boolean; code?: unknown };
    const found = killed
      ? `the login profile is slow: bash -lc takes more than ${limitMs / 1000} s, bash -c ${plain} ms`
      : `the login profile fails: bash -lc ends with exit code ${String(code)}, bash -c with 0`;
    return broken(name, found, `mend ~/.bash_profile, ~/.profile or /etc/profile, or ${without}`);
  }
}

/** The best of three, in milliseconds. */
async function timeShell({ config, cwd }: Context, flag: string, timeout: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const started = performance.now();
    await run('bash', [flag, 'true'], { env: config.environment, cwd, timeout, killSignal: 'SIGKILL' });
    times.push(performance.now() - started);
  }
  return Math.round(Math.min(...times));
}

/** Whoever `PRUNER_URL` names is asked to prune. */
export async function checkPruner(value: string, { fetch }: Context): Promise<Check> {
  const name = 'pruner';
  if (value === '') return warning(name, 'PRUNER_URL is empty: nothing is pruned', 'unset it, or set embedded:');
  if (value === 'embedded:') return ok(name, 'the engine in each server');
  const isAuto = value === 'auto';
  const url = isAuto ? AUTO_PRUNER_URL : value;
  try {
    await askService({ url, timeoutMs: isAuto ? 2000 : 20_000, fetch, text: SAMPLE, goal: GOAL });
    return ok(name, `${masked(url)} prunes`);
  } catch (error) {
    if (isAuto) return ok(name, `nothing answers at ${url}, so the engine in each server prunes`);
    const fix = 'start that service (`jeeves serve --port 8000` is one), correct PRUNER_URL, or set embedded:';
    return broken(name, `${masked(value)}: ${messageOf(error)}`, fix);
  }
}

/** Agent clients that could use all this. None is needed. */
export async function checkAgents({ config }: Context): Promise<Check> {
  const found: string[] = [];
  for (const program of ['claude', 'codex']) {
    try {
      const { stdout } = await run(program, ['--version'], { env: config.environment, timeout: 10_000 });
      found.push(`${program} ${stdout.trim().split('\n')[0]}`);
    } catch {
      // Not there, which is nobody's fault.
    }
  }
  return ok('agent clients', found.length > 0 ? found.join(', ') : 'none found (claude, codex); none is needed');
}
