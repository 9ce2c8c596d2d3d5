import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { askService, EngineError, newPruneId } from '@jeeves/engine';
import type { Effective } from '@jeeves/mcp-pruner/settings';
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
    return ok(name, `${withoutPassword(second.url)} keeps texts`);
  } catch (error) {
    const why = error instanceof EngineError ? error.message : messageOf(error);
    return broken(
      name,
      why,
      'make its directory writable, or set JEEVES_STORE to a path that is; until then texts last as long as their server',
    );
  }
}

function withoutPassword(url: string): string {
  return url.replace(/:\/\/[^/?#\s]*@/, '://…@');
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

/** What `bash -lc` costs over `bash -c` on this machine: profile files are read before every command. */
export async function checkShell({ config, cwd }: Context, login: boolean): Promise<Check> {
  const name = 'login shell';
  const time = async (flag: string): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const started = performance.now();
      await run('bash', [flag, 'true'], { env: config.environment, cwd, timeout: 20_000 });
      times.push(performance.now() - started);
    }
    return Math.round(Math.min(...times));
  };
  try {
    const [plain, asLogin] = [await time('-c'), await time('-lc')];
    const said = `bash -lc takes ${asLogin} ms, bash -c ${plain} ms`;
    const costly = login && asLogin - plain > 100;
    return costly ? warning(name, said, 'set MCP_PRUNER_SHELL_LOGIN=0 to leave profile files out') : ok(name, said);
  } catch (error) {
    return broken(
      name,
      `bash cannot be run: ${messageOf(error)}`,
      'install bash, or leave out the tool: MCP_PRUNER_TOOLS=read,grep',
    );
  }
}

/** Whoever `PRUNER_URL` names is asked to prune. */
export async function checkPruner(value: string, isDefault: boolean, { fetch }: Context): Promise<Check> {
  const name = 'pruner';
  if (value === '') return warning(name, 'PRUNER_URL is empty: nothing is pruned', 'unset it, or set embedded:');
  if (value === 'embedded:') return ok(name, 'the engine in each server');
  try {
    await askService({ url: value, timeoutMs: isDefault ? 2000 : 20_000, fetch, text: SAMPLE, goal: GOAL });
    return ok(name, `${withoutPassword(value)} prunes`);
  } catch (error) {
    if (isDefault) return ok(name, `nothing answers at ${value}, so the engine in each server prunes`);
    const fix = 'start that service (`jeeves serve --port 8000` is one), correct PRUNER_URL, or set embedded:';
    return broken(name, `${withoutPassword(value)}: ${messageOf(error)}`, fix);
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
