import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LogLine, RUN_FILE, type RunFile, SDK_OUTPUT, type SdkOutput } from '@jeeves/protocol';
import { afterAll } from 'vitest';
import { type Environment, readRunnerConfig, withPruning } from '../src/config.ts';
import { createFakeProvider } from '../src/providers/fake/fake.ts';
import { toScript } from '../src/providers/fake/script.ts';
import { type RunOptions, type RunOutcome, runAgent } from '../src/runner.ts';

/** A server that misbehaves as its argument says. */
export const FAULTY_SERVER: string = fileURLToPath(new URL('faulty-server.mjs', import.meta.url));

export interface World {
  /** A fresh directory: home, working directory and record of every run in it. */
  readonly path: string;
  readonly file: (name: string, content: string) => string;
  readonly env: (more?: Readonly<Record<string, string>>) => Environment;
  /** Runs the fake agent by a script, with pruning as `jeeves run` has it unless told otherwise. */
  readonly run: (steps: readonly object[], options?: WorldRun) => Promise<Ran>;
}

export interface WorldRun extends Partial<RunOptions> {
  readonly env?: Readonly<Record<string, string>>;
  readonly startTimeoutMs?: number;
  readonly callTimeoutMs?: number;
  /** What the environment says stands, as for a seed's runner. */
  readonly bare?: boolean;
}

export interface Ran {
  readonly outcome: RunOutcome;
  readonly directory: string;
  /** What the runner said of its server, in order. */
  readonly events: readonly Recorded[];
  /** What the server said. */
  readonly served: readonly Recorded[];
  readonly run: RunFile;
  readonly sdk: SdkOutput;
  /** Processes of this run that are still there. */
  readonly left: () => readonly number[];
}

export interface Recorded extends LogLine {
  readonly source: string;
}

/** A place for the tests of one file. */
export function world(): World {
  const path = mkdtempSync(join(tmpdir(), 'jeeves-runner-'));
  afterAll(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  const env = (more: Readonly<Record<string, string>> = {}): Environment => ({
    PATH: process.env['PATH'],
    HOME: path,
    MCP_PRUNER_SHELL_LOGIN: '0',
    ...more,
  });
  return {
    path,
    env,
    file(name, content) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), content);
      return join(path, name);
    },
    run: (steps, options = {}) => run({ path, env }, steps, options),
  };
}

async function run(
  { path, env }: Pick<World, 'path' | 'env'>,
  steps: readonly object[],
  { env: more, startTimeoutMs, callTimeoutMs, bare = false, ...options }: WorldRun,
): Promise<Ran> {
  const directory = mkdtempSync(join(path, 'run-'));
  const config = readRunnerConfig(env(more), path);
  const script = toScript({ steps, start_timeout_ms: startTimeoutMs, call_timeout_ms: callTimeoutMs });
  const outcome = await runAgent({
    runId: randomBytes(4).toString('hex'),
    provider: createFakeProvider({ script }),
    prompt: 'Find out what is wrong.',
    cwd: path,
    directory,
    config: bare ? config : withPruning(config),
    ...options,
  });
  const lines = readJsonLines(join(directory, 'events.jsonl'));
  return {
    outcome,
    directory,
    events: lines.filter(({ source }) => source === 'runner'),
    served: lines.filter(({ source }) => source === 'server'),
    run: RUN_FILE.parse(readJson(join(directory, 'run.json'))),
    sdk: SDK_OUTPUT.parse(readJson(join(directory, 'sdk-output.json'))),
    left: () => processesWith(directory),
  };
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

export function readJsonLines(path: string): readonly Recorded[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recorded);
}

/** Processes that have this text in their environment; every server of a run has the run's directory in its own. */
export function processesWith(text: string): readonly number[] {
  return processesWhose('environ', text);
}

/** Processes that were started with this text among their arguments. */
export function commandsWith(text: string): readonly number[] {
  return processesWhose('cmdline', text);
}

function processesWhose(file: 'environ' | 'cmdline', text: string): readonly number[] {
  const pids = readdirSync('/proc').map(Number);
  return pids.filter((pid) => Number.isSafeInteger(pid) && pid !== process.pid && procFile(pid, file).includes(text));
}

/** Empty for a process that is gone, or waits to be reaped. */
function procFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** A log in which one line matters. */
export function logWithError(): string {
  const lines = Array.from({ length: 400 }, (_, at) =>
    at === 200
      ? 'ERROR database connection refused on port 5432'
      : `2026-01-01T00:00:00Z info request ${at} served in ${(at * 7) % 91} ms`,
  );
  return `${lines.join('\n')}\n`;
}
