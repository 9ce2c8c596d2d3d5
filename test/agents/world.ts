import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from './client.ts';
import type { ScriptedModel, ScriptedStep } from './model/script.ts';
import { type Process, processesWith } from './processes.ts';

/** One run of `jeeves run` with a real client and a scripted model, in directories of its own. */
export interface World {
  readonly directory: string;
  readonly project: string;
  readonly model: ScriptedModel;
  readonly runner: ChildProcess;
  /** Resolves when the runner has ended. */
  readonly ended: Promise<Ended>;
  /** All that is running in this world, the runner included. */
  readonly processes: () => Process[];
  readonly record: () => RunRecord;
  readonly remove: () => Promise<void>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Both outputs. */
  readonly output: string;
}

export interface RunRecord {
  readonly run: { readonly status: string; readonly states: readonly string[]; readonly error?: string };
  /** Names of events, by who reported them. */
  readonly events: (source: 'runner' | 'server' | 'agent') => string[];
  /** Names of the tools that were called. */
  readonly calls: readonly string[];
}

export interface WorldOptions {
  readonly client: Client;
  readonly script: readonly ScriptedStep[] | ((project: string) => readonly ScriptedStep[]);
  readonly files?: Readonly<Record<string, string>>;
  /** The script of another server in place of the real one. */
  readonly server?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

const CLI = fileURLToPath(new URL('../../packages/cli/dist/cli.js', import.meta.url));

export async function startWorld({
  client,
  script,
  files = {},
  server,
  env = {},
  args = [],
}: WorldOptions): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), 'jeeves-agents-'));
  const [project, home, record] = ['project', 'home', 'run'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [project, join(home, 'claude'), join(home, 'codex')]) mkdirSync(path, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  const model = await client.startModel(typeof script === 'function' ? script(project) : script);
  const flags = ['--provider', client.provider, '--model', client.model, '--cwd', project, '--run-dir', record];
  const runner = spawn(process.execPath, [CLI, 'run', ...flags, '--prompt', 'Do what the script says.', ...args], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      // Where the clients are not installed beside the runner.
      ...(process.env['NODE_PATH'] !== undefined && { NODE_PATH: process.env['NODE_PATH'] }),
      ...client.environment(model.url, home),
      ...(server !== undefined && { JEEVES_MCP_PRUNER_PATH: serverPath(server) }),
      ...env,
    },
  });
  const ended = watch(runner);
  return {
    directory,
    project,
    model,
    runner,
    ended,
    processes: () => processesWith(directory),
    record: () => readRecord(record),
    async remove() {
      for (const { pid } of processesWith(directory)) kill(pid);
      await model.close();
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

function serverPath(name: string): string {
  return fileURLToPath(new URL(`servers/${name}.mjs`, import.meta.url));
}

function watch(runner: ChildProcess): Promise<Ended> {
  let output = '';
  for (const stream of [runner.stdout, runner.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve) => runner.once('close', (code, signal) => resolve({ code, signal, output })));
}

interface Line {
  readonly event: string;
  readonly source: string;
  readonly data?: { readonly name?: string };
}

function readRecord(directory: string): RunRecord {
  const lines = linesOf(join(directory, 'events.jsonl')).map((line) => JSON.parse(line) as Line);
  return {
    run: JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8')) as RunRecord['run'],
    events: (source) => lines.filter((line) => line.source === source).map(({ event }) => event),
    calls: lines.filter(({ event }) => event === 'agent.tool_use').map(({ data }) => data?.name ?? ''),
  };
}

function linesOf(file: string): string[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}
