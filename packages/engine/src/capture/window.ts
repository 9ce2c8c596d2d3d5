/** How much of a text is looked at. */
export interface WindowLimits {
  readonly bytes: number;
  readonly lines: number;
}

/** Judging more than this takes longer than a reader waits, and more memory than a server has to spare. */
export const LOOKED_AT: WindowLimits = { bytes: 16 * 1024 * 1024, lines: 900_000 };

/** The beginning and the end of a text, in whole lines. */
export interface Window {
  readonly head: string;
  readonly tail: string;
  /** Lines of the head. */
  readonly headLines: number;
  /** Lines between head and tail; 0 when the text is whole. */
  readonly skippedLines: number;
}

const NEWLINE = 10;

/**
 * A text of UTF-8 bytes as far as limits allow: all of it, or its beginning and its end and how many lines lie between.
 * Half of the room is for each. A line that does not fit is left out whole, so that what is shown has true numbers.
 */
export function windowOf(bytes: Uint8Array, limits: WindowLimits = LOOKED_AT): Window {
  const lines = countNewlines(bytes, 0, bytes.length);
  if (bytes.length <= limits.bytes && lines <= limits.lines) {
    return { head: decode(bytes), tail: '', headLines: lines + (endsOpen(bytes) ? 1 : 0), skippedLines: 0 };
  }
  const headEnd = endOfHead(bytes, limits);
  const tailStart = Math.max(headEnd, startOfTail(bytes, limits));
  return {
    head: decode(bytes.subarray(0, headEnd)),
    tail: decode(bytes.subarray(tailStart)),
    headLines: countNewlines(bytes, 0, headEnd),
    skippedLines:
      countNewlines(bytes, headEnd, tailStart) + (tailStart === bytes.length && endsOpen(bytes) ? 1 : 0),
  };
}

function endOfHead(bytes: Uint8Array, limits: WindowLimits): number {
  const room = Math.floor(limits.bytes / 2);
  let end = room === 0 ? 0 : bytes.lastIndexOf(NEWLINE, room - 1) + 1;
  const most = Math.floor(limits.lines / 2);
  if (countNewlines(bytes, 0, end) <= most) return end;
  end = 0;
  for (let line = 0; line < most; line += 1) end = bytes.indexOf(NEWLINE, end) + 1;
  return end;
}

function startOfTail(bytes: Uint8Array, limits: WindowLimits): number {
  const from = bytes.length - Math.floor(limits.bytes / 2);
  const newline = from <= 0 ? -1 : bytes.indexOf(NEWLINE, from - 1);
  const start = from > 0 && newline === -1 ? bytes.length : newline + 1;
  const most = Math.floor(limits.lines / 2);
  if (countNewlines(bytes, start, bytes.length) <= most) return start;
  // The newline that ends the last line begins no further one.
  let end = bytes.length - (endsOpen(bytes) ? 0 : 1);
  for (let line = 0; line < most; line += 1) end = bytes.lastIndexOf(NEWLINE, end - 1);
  return end + 1;
}

function endsOpen(bytes: Uint8Array): boolean {
  return bytes.length > 0 && bytes[bytes.length - 1] !== NEWLINE;
}

export function countNewlines(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE, start); at !== -1 && at < end; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

// A byte order mark is a part of the text.
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}
