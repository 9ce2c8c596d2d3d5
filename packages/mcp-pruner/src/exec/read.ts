import type { FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { capUtf8 } from './truncate.ts';

export interface ReadOptions {
  /** Most bytes of UTF-8 of the returned text, counted after bytes that are no UTF-8 became U+FFFD. */
  readonly maxBytes: number;
  /** First line wanted, from 1. Default 1. */
  readonly startLine?: number | undefined;
  /** Last line wanted, included. Default: the last one of the file. */
  readonly endLine?: number | undefined;
  /** Looked at between two reads, as finding a line far into a huge file takes a while. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReadText {
  readonly text: string;
  /** Of the text, in UTF-8. */
  readonly bytes: number;
  /** The wanted lines hold more than fits. */
  readonly truncated: boolean;
  readonly firstLine: number;
  /** The last line of which the text has something; `firstLine - 1` when it has none. */
  readonly lastLine: number;
  /** How many lines the file has, when its end was reached. */
  readonly totalLines?: number;
}

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;

/** Reads the wanted lines of an open file up to a cap, holding nothing but the answer and one chunk. */
export async function readText(handle: FileHandle, options: ReadOptions): Promise<ReadText> {
  const window = createWindow(options.startLine ?? 1, options.endLine ?? Number.POSITIVE_INFINITY);
  const text = createText(options.maxBytes);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let atEnd = false;
  while (!atEnd && !window.passed && !text.truncated) {
    options.signal?.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
    atEnd = bytesRead === 0;
    text.push(window.take(chunk.subarray(0, bytesRead)));
  }
  text.end();
  return {
    text: text.value,
    bytes: text.bytes,
    truncated: text.truncated,
    firstLine: window.start,
    lastLine: window.start - 1 + countLines(text.value),
    ...(atEnd ? { totalLines: window.linesSeen } : {}),
  };
}

export interface Window {
  readonly start: number;
  /** Nothing that follows is wanted. */
  readonly passed: boolean;
  readonly linesSeen: number;
  /** The part of the next bytes of the file that belongs to the wanted lines. */
  take(chunk: Buffer): Buffer;
}

/** Picks the wanted lines out of the chunks of a file. */
export function createWindow(start: number, end: number): Window {
  let newlines = 0;
  let endsInLine = false;
  return {
    start,
    get passed() {
      return newlines >= end;
    },
    get linesSeen() {
      return newlines + (endsInLine ? 1 : 0);
    },
    take(chunk) {
      if (chunk.length === 0) return chunk;
      endsInLine = chunk[chunk.length - 1] !== NEWLINE;
      let from = newlines >= start - 1 ? 0 : chunk.length;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
        newlines += 1;
        if (newlines === start - 1) from = at + 1;
        if (newlines === end) return chunk.subarray(from, at + 1);
      }
      return chunk.subarray(from);
    },
  };
}

interface CappedText {
  readonly value: string;
  readonly bytes: number;
  readonly truncated: boolean;
  push(bytes: Buffer): void;
  end(): void;
}

function createText(maxBytes: number): CappedText {
  // Keeps the bytes of a character that a chunk boundary splits, and a byte order mark as it is.
  const decoder = new StringDecoder('utf8');
  let value = '';
  let bytes = 0;
  let truncated = false;
  const append = (piece: string): void => {
    if (truncated) return;
    const capped = capUtf8(piece, maxBytes - bytes);
    value += capped.text;
    bytes += Buffer.byteLength(capped.text);
    truncated = capped.truncated;
  };
  return {
    get value() {
      return value;
    },
    get bytes() {
      return bytes;
    },
    get truncated() {
      return truncated;
    },
    push: (chunk) => append(decoder.write(chunk)),
    end: () => append(decoder.end()),
  };
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return text === '' || text.endsWith('\n') ? lines : lines + 1;
}
