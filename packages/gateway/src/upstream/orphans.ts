import { readFileSync, readlinkSync } from 'node:fs';
import type { Tag } from './tag.ts';

/**
 * Whether a tagged process was left behind by a gateway that is gone. In doubt it was not: killing the server of a
 * gateway that lives is worse than leaving one of a gateway that died.
 */
export function isOrphan({ owner, started }: Tag, pid: number): boolean {
  if (started === '' || !isOfOurNamespace(pid)) return false;
  return isGone(owner, started);
}

/** Numbers of processes mean something within a namespace only: the owner's number may be anybody's here. */
function isOfOurNamespace(pid: number): boolean {
  const own = namespaceOf('self');
  return own !== undefined && namespaceOf(pid) === own;
}

function namespaceOf(pid: number | 'self'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

/** Another process may have the owner's number by now; the moment of its start tells the two apart. */
function isGone(pid: number, started: string): boolean {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // Nothing else says that there is no such process: a machine out of files says EMFILE.
    return code === 'ENOENT' || code === 'ESRCH';
  }
  // The name in parentheses may contain anything, so the fields are counted from behind it.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' || fields[19] !== started;
}
