import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { join, sep } from 'node:path';

const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_NOFOLLOW;
/** Larger files are read piece by piece elsewhere. */
const SMALL_BYTES = 64 * 1024;

/**
 * The bytes of a small regular file whose opened descriptor lies inside the root, or null when that is not plain to see.
 * Without the detour over the thread pool this takes a tenth of the time, which matters when a thousand files match.
 */
export function glance(rootPath: string, path: string): Buffer | null {
  let descriptor: number;
  try {
    descriptor = openSync(join(rootPath, path), FLAGS);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > SMALL_BYTES) return null;
    // Only what was opened counts: the name may have led anywhere.
    const opened = readlinkSync(`/proc/self/fd/${descriptor}`);
    const inside =
      rootPath === sep ? opened.startsWith(sep) && !opened.startsWith('/proc/') : opened.startsWith(rootPath + sep);
    if (!inside || opened !== join(rootPath, path)) return null;
    const bytes = Buffer.allocUnsafe(SMALL_BYTES);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, SMALL_BYTES, 0));
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}
