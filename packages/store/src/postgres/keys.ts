import { createHash } from 'node:crypto';

/** A key for a name of any length: no two names are known to share one. Also of names that are not well-formed. */
export function keyOf(name: string): Buffer {
  return createHash('sha256').update(name, 'utf16le').digest();
}

export function optionalKey(name: string | undefined): Buffer | null {
  return name === undefined ? null : keyOf(name);
}
