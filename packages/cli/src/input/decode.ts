import { Buffer, isUtf8 } from 'node:buffer';
import { firstInvalidByte } from './utf8.ts';

/** Where a NUL byte means that a file is not text. */
const BINARY_SAMPLE = 8192;

/** A text, or why the bytes are none. Nothing is ever replaced: what is pruned must come back byte for byte. */
export type Decoded = { readonly text: string } | { readonly problem: 'binary' | 'not_utf8'; readonly offset: number };

/** Bytes to text, if they are one; encoding the text again gives the same bytes. */
export function decode(bytes: Uint8Array): Decoded {
  const nul = bytes.subarray(0, BINARY_SAMPLE).indexOf(0);
  if (nul !== -1) return { problem: 'binary', offset: nul };
  if (!isUtf8(bytes)) return { problem: 'not_utf8', offset: firstInvalidByte(bytes) };
  // Unlike TextDecoder, Buffer keeps a byte order mark.
  return { text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') };
}
