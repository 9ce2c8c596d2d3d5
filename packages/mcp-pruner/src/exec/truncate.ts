export interface Capped {
  readonly text: string;
  readonly truncated: boolean;
}

/** The longest prefix of a text that fits into so many bytes of UTF-8; no character is split. */
export function capUtf8(text: string, maxBytes: number): Capped {
  const limit = Math.max(0, Math.floor(maxBytes));
  // No UTF-16 unit takes more than three bytes, so most texts need not be measured.
  if (text.length * 3 <= limit || Buffer.byteLength(text) <= limit) return { text, truncated: false };
  // Every unit takes at least one byte: whatever lies behind `limit` units cannot fit.
  const { read } = new TextEncoder().encodeInto(text.slice(0, limit), Buffer.allocUnsafe(limit));
  return { text: text.slice(0, read), truncated: true };
}
