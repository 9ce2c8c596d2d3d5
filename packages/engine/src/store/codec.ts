/** How a text lies in its blob: UTF-8 cannot hold half a surrogate pair, so texts with one are kept as UTF-16. */
export type TextEncoding = 'utf8' | 'utf16le';

export interface EncodedText {
  readonly bytes: Uint8Array;
  readonly encoding: TextEncoding;
}

export function encodeText(text: string | Uint8Array): EncodedText {
  if (typeof text !== 'string') return { bytes: text, encoding: 'utf8' };
  const encoding = isWellFormed(text) ? 'utf8' : 'utf16le';
  return { bytes: Buffer.from(text, encoding), encoding };
}

/** Unlike `TextDecoder`, `Buffer` keeps a byte order mark. */
export function decodeText(bytes: Uint8Array, encoding: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString(encoding === 'utf16le' ? 'utf16le' : 'utf8');
}

/** A key that differs whenever the id differs; the leading byte never occurs in UTF-8. */
export function encodeId(pruneId: string): Uint8Array {
  const { bytes, encoding } = encodeText(pruneId);
  return encoding === 'utf8' ? bytes : Buffer.concat([Buffer.of(0xff), bytes]);
}

/** The id that a key was made of. */
export function decodeId(key: Uint8Array): string {
  return key[0] === 0xff ? decodeText(key.subarray(1), 'utf16le') : decodeText(key, 'utf8');
}

/** In every supported runtime, but newer than the language level the types describe. */
function isWellFormed(text: string): boolean {
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}
