import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Why a path was refused or could not be opened. */
export type PathProblem = 'invalid_path' | 'not_found' | 'permission_denied' | 'io_error';

export class PathError extends Error {
  readonly code: PathProblem;

  constructor(code: PathProblem, message: string) {
    super(message);
    this.name = 'PathError';
    this.code = code;
  }
}

export interface ResolvedPath {
  /** Absolute and free of symlinks. */
  readonly path: string;
  /** The same from the root, `.` for the root itself. */
  readonly relative: string;
}

/** The one directory that paths may not leave. Every method rejects with a PathError. */
export interface Root {
  /** Absolute and free of symlinks. */
  readonly path: string;
  /** An existing file or directory inside the root, given relative to the root or as an absolute path. */
  resolve(path: string): Promise<ResolvedPath>;
  /** The same for a directory, as a working directory has to be one. */
  resolveDirectory(path: string): Promise<ResolvedPath>;
  /** A regular file inside the root, opened for reading; the caller closes it. Never waits for a writer. */
  openFile(path: string): Promise<FileHandle>;
}

export interface RootOptions {
  /** Where the names of open descriptors are found. Without such a directory device and inode are compared. */
  readonly descriptors?: string;
}

// Opening may neither follow a link, nor wait (FIFO), nor take over a terminal. Most systems can only be told not to
// follow a link in the last place of the path; macOS has a flag for all places.
const NO_LINKS = process.platform === 'darwin' ? 0x2000_0000 : constants.O_NOFOLLOW;
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | NO_LINKS;
// A link that comes and goes deceives one comparison in seven (measured), so many in a row one time in 10^13.
const COMPARISONS = 16;
// As many as Linux follows.
const MAX_LINKS = 40;

/** Makes a directory the root. Its own symlinks are resolved once, here. */
export async function openRoot(directory: string, { descriptors = '/proc/self/fd' }: RootOptions = {}): Promise<Root> {
  const given = resolve(directory);
  const path = await realpath(given).catch((error: unknown) => fail(error, directory));
  if (!(await stat(path)).isDirectory()) throw new PathError('invalid_path', `${directory} is not a directory`);
  const places: Places = { given, path, descriptors };
  return {
    path,
    resolve: (wanted) => resolveInside(places, wanted),
    resolveDirectory: (wanted) => resolveDirectory(places, wanted),
    openFile: (wanted) => openInside(places, wanted),
  };
}

interface Places {
  /** The root as it was named: absolute paths may start with this name too. */
  readonly given: string;
  readonly path: string;
  readonly descriptors: string;
}

async function resolveInside(places: Places, wanted: string): Promise<ResolvedPath> {
  const candidate = lexical(places, wanted);
  const path = await realpath(candidate).catch(async (error: unknown) => {
    // The answer for a path that leads out must not tell what exists there.
    if (await leavesRoot(places, candidate)) throw outside(wanted);
    return fail(error, wanted);
  });
  if (!isInside(places.path, path)) throw outside(wanted);
  return { path, relative: relative(places.path, path) || '.' };
}

async function resolveDirectory(places: Places, wanted: string): Promise<ResolvedPath> {
  const resolved = await resolveInside(places, wanted);
  const stats = await stat(resolved.path).catch((error: unknown) => fail(error, wanted));
  if (!stats.isDirectory()) throw new PathError('invalid_path', `${wanted} is not a directory`);
  return resolved;
}

async function openInside(places: Places, wanted: string): Promise<FileHandle> {
  const { path } = await resolveInside(places, wanted);
  // Looked at before opening as well: opening a device can have effects, opening a socket fails.
  assertRegular(await lstat(path).catch((error: unknown) => fail(error, wanted)), wanted);
  const handle = await open(path, OPEN_FLAGS).catch((error: unknown) => {
    if (problem(error).code === 'ELOOP') throw outside(wanted);
    return fail(error, wanted);
  });
  try {
    assertRegular(await handle.stat(), wanted);
    // The path was checked a moment ago and may lead elsewhere by now: what counts is the file that is open.
    if (!(await isOpenInside(places, handle, path))) throw outside(wanted);
    return handle;
  } catch (error) {
    await handle.close();
    throw error instanceof PathError ? error : fail(error, wanted);
  }
}

async function isOpenInside(places: Places, handle: FileHandle, path: string): Promise<boolean> {
  const name = await readlink(`${places.descriptors}/${handle.fd}`).catch(() => null);
  if (name !== null) return isInside(places.path, name);
  for (let turn = 0; turn < COMPARISONS; turn += 1) {
    if (!(await isSameFile(handle, path)) || (await realpath(path).catch(() => null)) !== path) return false;
  }
  return true;
}

async function isSameFile(handle: FileHandle, path: string): Promise<boolean> {
  const opened = await handle.stat({ bigint: true });
  const named = await lstat(path, { bigint: true }).catch(() => null);
  return opened.dev === named?.dev && opened.ino === named.ino;
}

function lexical(places: Places, wanted: string): string {
  if (wanted.includes('\0')) throw new PathError('invalid_path', 'the path contains a NUL byte');
  const candidate = resolve(places.path, wanted);
  if (isInside(places.path, candidate)) return candidate;
  if (isInside(places.given, candidate)) return resolve(places.path, relative(places.given, candidate));
  throw outside(wanted);
}

/** Whether a path that cannot be resolved to its end leads out of the root on the way. Walks as far as there is one. */
async function leavesRoot({ path: root }: Places, candidate: string): Promise<boolean> {
  let path = candidate;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const link = await firstLink(root, path);
    if (link === null) return false;
    path = resolve(dirname(link.at), link.target, link.rest);
    if (!isInside(root, path)) return true;
  }
  return false;
}

interface Link {
  readonly at: string;
  readonly target: string;
  /** What follows the link in the path. */
  readonly rest: string;
}

async function firstLink(root: string, path: string): Promise<Link | null> {
  const segments = relative(root, path).split(sep);
  let at = root;
  for (const [index, segment] of segments.entries()) {
    at = join(at, segment);
    const target = await readlink(at).catch(problem);
    if (typeof target === 'string') return { at, target, rest: segments.slice(index + 1).join(sep) };
    // EINVAL says that there is something, and that it is no link.
    if (target.code !== 'EINVAL') return null;
  }
  return null;
}

/** By whole path segments: `/root-evil` is not inside `/root`. What `/proc` shows of processes is never a file here. */
function isInside(root: string, path: string): boolean {
  if (path === '/proc' || path.startsWith('/proc/')) return false;
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function assertRegular(stats: Stats, wanted: string): void {
  if (!stats.isFile()) throw new PathError('invalid_path', `${wanted} is not a regular file`);
}

function outside(wanted: string): PathError {
  return new PathError('invalid_path', `${wanted} is outside the root`);
}

function fail(error: unknown, wanted: string): never {
  const { code } = problem(error);
  if (code === 'ENOENT') throw new PathError('not_found', `${wanted} does not exist`);
  if (code === 'EACCES') throw new PathError('permission_denied', `${wanted} may not be read`);
  throw new PathError('io_error', `${wanted} cannot be read (${code})`);
}

function problem(error: unknown): { readonly code: string } {
  return { code: error instanceof Error && 'code' in error ? String(error.code) : 'unknown error' };
}
