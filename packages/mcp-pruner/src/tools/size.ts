import { Buffer } from 'node:buffer';

export function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Bytes of UTF-8. */
export function size(text: string): number {
  return Buffer.byteLength(text);
}
