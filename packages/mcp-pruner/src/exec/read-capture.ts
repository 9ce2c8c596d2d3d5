import { Buffer, isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { createWindow, type ReadOptions } from './read.ts';
import { CAPTURED, createSpool } from './spool.ts';

export interface ReadCapture {
  /** UTF-8; bytes that were none have become U+FFFD. */
  readonly bytes: Buffer;
  /** The wanted lines hold more than was kept. */
  readonly truncated: boolean;
  readonly firstLine: number;
  /** How many lines the file has, when its end was reached. */
  readonly totalLines?: number;
}

const CHUNK_BYTES = 256 * 1024;
/** Reading on for the end of a larger file takes longer than anybody waits. */
const MOST_READ_BYTES = 2 * 1024 * 1024 * 1024;
/** The file is on disk already: nothing is won by spooling what fits. */
const IN_MEMORY = { ...CAPTURED, memory: CAPTURED.head + CAPTURED.tail };

/** Reads the wanted lines of an open file: all of them, or beginning and end of more than a capture holds. */
export async function readCapture(handle: FileHandle, options: Omit<ReadOptions, 'maxBytes'>): Promise<ReadCapture> {
  const window = createWindow(options.startLine ?? 1, options.endLine ?? Number.POSITIVE_INFINITY);
  const spool = createSpool(IN_MEMORY);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let atEnd = false;
  try {
    for (let read = 0; !atEnd && !window.passed && read < MOST_READ_BYTES; ) {
      options.signal?.throwIfAborted();
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
      atEnd = bytesRead === 0;
      read += bytesRead;
      spool.push(window.take(chunk.subarray(0, bytesRead)));
    }
    const { bytes, dropped } = spool.finish();
    return {
      bytes: wellFormed(bytes),
      truncated: dropped > 0 || !(atEnd || window.passed),
      firstLine: window.start,
      ...(atEnd ? { totalLines: window.linesSeen } : {}),
    };
  } finally {
    spool.discard();
  }
}

/** The same bytes, or what a decoder makes of those that are no UTF-8. */
export function wellFormed(bytes: Buffer): Buffer {
  return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8'));
}
