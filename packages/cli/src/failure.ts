/** A mistake of the caller: the message names the argument and what to do, and the program ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Exit codes: what a script may rely on. */
export const EXIT = { success: 0, unproven: 1, usage: 2 } as const;

/** What an operating system's error code means to a person. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return SYSTEM_REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'a part of the path is not a directory',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EISDIR: 'it is a directory',
  EMFILE: 'too many open files',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
};
