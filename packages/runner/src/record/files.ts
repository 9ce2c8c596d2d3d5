import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

// What agents read and run may hold secrets: a run's files are for its owner alone.
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** One by one: the platform's own way never ends where a directory exists in which none can be made, as in `/proc`. */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: DIRECTORY_MODE });
}

/** What an earlier run may have left in the same place. */
export function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Readers never see half a file: it is written beside its place and moved there. */
export function writeWhole(path: string, text: string): void {
  const draft = `${path}.tmp`;
  writeFileSync(draft, text, { mode: FILE_MODE });
  renameSync(draft, path);
}

export function writeJson(path: string, value: unknown): void {
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`);
}

export function append(path: string, text: string): void {
  appendFileSync(path, text, { mode: FILE_MODE });
}
