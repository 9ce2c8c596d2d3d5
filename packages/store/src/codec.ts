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

/** A name as bytes that differ whenever the name differs; the leading byte of the second kind never occurs in UTF-8. */
export function encodeName(name: string): Uint8Array {
  const { bytes, encoding } = encodeText(name);
  return encoding === 'utf8' ? bytes : Buffer.concat([Buffer.of(0xff), bytes]);
}

/** The name that the bytes were made of. */
export function decodeName(bytes: Uint8Array): string {
  return bytes[0] === 0xff ? decodeText(bytes.subarray(1), 'utf16le') : decodeText(bytes, 'utf8');
}

/** In every supported runtime, but newer than the language level the types describe. */
function isWellFormed(text: string): boolean {
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}
