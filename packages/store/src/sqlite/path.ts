import { type Stats, statSync } from 'node:fs';
import { isAbsolute, normalize } from 'node:path';

/**
 * The path of a store, or a reason not to use it. A relative one, as an empty HOME makes it, would lie in whatever
 * directory the process was started in: a working tree that may be anybody's, and that texts of others must not end in.
 */
export function storePath(path: string): string {
  if (!isAbsolute(path)) {
    throw new Error('the path is relative, so it would lie in the working tree; name it from the root, and set HOME');
  }
  assertRegular(path);
  return normalize(path);
}

/** What has this name: a regular file, or nothing. A device or a FIFO would swallow texts or block the process. */
export function assertRegular(path: string): Stats | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) throw new Error('EISDIR: it is a directory');
  if (stats !== undefined && !stats.isFile()) throw new Error('it is a device, a FIFO or a socket, not a file');
  return stats;
}
