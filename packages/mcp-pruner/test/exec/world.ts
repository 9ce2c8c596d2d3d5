import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/** Stands in every file outside the root: wherever it turns up, something leaked. */
export const CANARY = 'CANARY-7f3a';

/** A directory that lives as long as the tests of the file. Others may look into it, as some tests drop privileges. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'jeeves-exec-'));
  chmodSync(directory, 0o755);
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function writeTree(directory: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}

export function makeFifos(...paths: string[]): void {
  execFileSync('sh', ['-c', 'mkfifo "$@"', 'sh', ...paths]);
}

/** Runs something without the rights of root, to whom no file is unreadable. */
export async function unprivileged<T>(action: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return action();
  process.seteuid?.(65_534);
  try {
    return await action();
  } finally {
    process.seteuid?.(0);
  }
}

/** The numbers of all processes that have this text in their environment. */
export function processesWith(mark: string): string[] {
  return pids().filter((pid) => readProc(pid, 'environ').includes(mark));
}

/** The command lines that contain a text, their arguments ended by NUL. */
export function commandLinesWith(text: string): string[] {
  return pids()
    .map((pid) => readProc(pid, 'cmdline'))
    .filter((line) => line.includes(text));
}

/** The stable code of what a promise rejects with, or what it resolves with. */
export async function outcomeOf<T>(work: Promise<T>): Promise<T | string> {
  return work.catch((error: unknown) =>
    error instanceof Error && 'code' in error ? String(error.code) : String(error),
  );
}

function pids(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
