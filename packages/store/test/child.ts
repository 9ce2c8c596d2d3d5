import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

// Inside node_modules, so that the bundle finds the WebAssembly build of SQLite.
const CACHE = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url));

export interface Child {
  readonly process: ChildProcess;
  /** Every line it has written so far; the array grows. */
  readonly lines: readonly string[];
  /** What it wrote on stderr. */
  readonly errors: readonly string[];
  /** Resolves when it has written something for the first time. */
  readonly started: Promise<unknown>;
  readonly exited: Promise<number | null>;
}

export interface ChildLimits {
  /** The most that a file it writes may hold. */
  readonly fileSizeKiB?: number;
  /** Whether it runs as a user without rights where the tests run as one with all of them. */
  readonly unprivileged?: boolean;
}

export interface Programs {
  /** Runs one of programs.ts in a process of its own. */
  start(program: string, args: readonly string[], limits?: ChildLimits): Child;
  remove(): void;
}

/** Bundles programs.ts once: a child then starts in a tenth of the time a TypeScript loader would take. */
export async function buildPrograms(): Promise<Programs> {
  mkdirSync(CACHE, { recursive: true });
  const directory = mkdtempSync(join(CACHE, 'programs-'));
  chmodSync(directory, 0o755);
  const file = join(directory, 'programs.mjs');
  await build({
    input: fileURLToPath(new URL('programs.ts', import.meta.url)),
    platform: 'node',
    external: ['node-sqlite3-wasm'],
    output: { file, format: 'esm' },
  });
  return {
    start: (program, args, limits) => startChild([file, program, ...args], limits),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function startChild(given: readonly string[], { fileSizeKiB, unprivileged = false }: ChildLimits = {}): Child {
  // A child lives too briefly for the optimising compiler to pay: without it, it starts in half the time.
  const args = ['--liftoff-only', ...given];
  const limited = ['-c', `ulimit -f ${fileSizeKiB}; exec "$0" "$@"`, process.execPath, ...args];
  const nobody = unprivileged && process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const [command, line] = fileSizeKiB === undefined ? [process.execPath, args] : ['bash', limited];
  const child = spawn(command, line, { stdio: ['ignore', 'pipe', 'pipe'], ...nobody });
  const [lines, errors]: [string[], string[]] = [[], []];
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const errorReader = createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const ended = Promise.all([once(child, 'exit'), once(reader, 'close'), once(errorReader, 'close')]);
  return {
    process: child,
    lines,
    errors,
    started: Promise.race([once(reader, 'line'), ended]),
    exited: ended.then(([[code]]) => code as number | null),
  };
}
