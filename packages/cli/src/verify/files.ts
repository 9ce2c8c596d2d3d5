import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { reasonOf, UsageError } from '../failure.ts';
import { decode } from '../input/decode.ts';
import { filesByGit } from './git-files.ts';
import type { Random } from './random.ts';

/** A file of the user, read once. */
export interface TextFile {
  /** As shown to the user, relative to the working directory. */
  readonly path: string;
  readonly text: string;
}

/** What will be tried, and an account of what will not. */
export interface Collected {
  readonly files: readonly TextFile[];
  /** How many files were not taken, by reason. */
  readonly leftOut: ReadonlyMap<string, number>;
}

// Bounds on time and memory: a home directory as an argument must still end in seconds.
const MAX_FILES = 150;
const MAX_FILE_BYTES = 400 * 1024;
const MAX_TOTAL_BYTES = 12 * 1024 * 1024;

/** The user's own texts: the named files, and those of the named directories that git does not ignore. */
export async function collectFiles(paths: readonly string[], cwd: string, random: Random): Promise<Collected> {
  const leftOut = new Map<string, number>();
  const leave = (reason: string): void => void leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  const files: TextFile[] = [];
  let bytes = 0;
  // Shuffled, so that a bound does not always leave out the same end of the alphabet.
  for (const path of random.shuffled([...new Set(await listed(paths, cwd))].sort())) {
    const taken = await readTextFile(path);
    if (typeof taken === 'string') leave(taken);
    else if (files.length >= MAX_FILES) leave(`beyond the first ${MAX_FILES} files`);
    else if (bytes + taken.size > MAX_TOTAL_BYTES) leave(`beyond ${MAX_TOTAL_BYTES / 1024 / 1024} MiB in all`);
    else {
      bytes += taken.size;
      files.push({ path: relative(cwd, path) || path, text: taken.text });
    }
  }
  return { files, leftOut };
}

async function listed(paths: readonly string[], cwd: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const full = resolve(cwd, path);
    try {
      if ((await stat(full)).isDirectory()) found.push(...(await filesUnder(full)));
      else found.push(full);
    } catch (error) {
      throw new UsageError(`${path}: cannot be read: ${reasonOf(error)}; name files or directories that exist`);
    }
  }
  return found;
}

async function filesUnder(directory: string): Promise<string[]> {
  return (await filesByGit(directory)) ?? (await walk(directory));
}

/** Without git nobody says what is generated; hidden files and installed packages are the usual suspects. */
async function walk(directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) found.push(...(await walk(path)));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

/** The text and its size, or why it is not taken. */
async function readTextFile(path: string): Promise<{ text: string; size: number } | string> {
  try {
    const facts = await lstat(path);
    if (!facts.isFile()) return 'not a regular file';
    if (facts.size === 0) return 'empty';
    if (facts.size > MAX_FILE_BYTES) return `larger than ${MAX_FILE_BYTES / 1024} KiB`;
    const decoded = decode(await readFile(path));
    return 'text' in decoded ? { text: decoded.text, size: facts.size } : 'binary or not UTF-8';
  } catch {
    return 'unreadable';
  }
}
