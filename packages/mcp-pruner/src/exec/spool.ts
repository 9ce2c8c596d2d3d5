import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MIB = 1024 * 1024;

export interface SpoolLimits {
  /** Bytes kept of the beginning of a stream. */
  readonly head: number;
  /** Bytes kept of its end; what lies between is counted and dropped. */
  readonly tail: number;
  /** So many of them stay in memory; the rest waits in a file without a name. */
  readonly memory: number;
}

/** The most that is captured of an output. */
export const CAPTURED: SpoolLimits = { head: 32 * MIB, tail: 32 * MIB, memory: MIB };

/** A stream as far as it was kept. */
export interface Spooled {
  /** Beginning and end; where something was dropped, one line between them says so. */
  readonly bytes: Buffer;
  /** Bytes that are not there. */
  readonly dropped: number;
}

/** Keeps the beginning and the end of a stream of any length, most of it on disk. */
export interface Spool {
  readonly push: (chunk: Uint8Array) => void;
  /** What was kept, in memory once. Ends the spool. */
  finish(): Spooled;
  /** Forgets everything. */
  discard(): void;
}

const NEWLINE = 10;
const FIRST_BYTES = 8192;

/**
 * Positions up to `head` are the beginning; behind it the end goes round in a ring. Positions below `memory` are in a
 * buffer that grows, the others in the file.
 */
export function createSpool({ head, tail, memory }: SpoolLimits = CAPTURED): Spool {
  let buffer = Buffer.alloc(0);
  let file: number | undefined;
  let total = 0;
  let newlines = 0;
  let broken = false;

  function place(chunk: Uint8Array, position: number): void {
    const inMemory = Math.max(0, Math.min(chunk.length, memory - position));
    if (inMemory > 0) {
      buffer = grown(buffer, position + inMemory, memory);
      buffer.set(chunk.subarray(0, inMemory), position);
    }
    if (inMemory === chunk.length) return;
    if (broken) return;
    try {
      file ??= openNameless();
      writeAll(file, chunk.subarray(inMemory), position + inMemory - memory);
    } catch {
      // A full disk must not stop the command: what is in memory is kept, the rest is counted.
      broken = true;
    }
  }

  function take(into: Uint8Array, position: number): void {
    const inMemory = Math.max(0, Math.min(into.length, memory - position));
    if (inMemory > 0) into.set(buffer.subarray(position, position + inMemory));
    if (inMemory < into.length && file !== undefined) readAll(file, into.subarray(inMemory), position + inMemory - memory);
  }

  function discard(): void {
    if (file !== undefined) closeSync(file);
    file = undefined;
    buffer = Buffer.alloc(0);
  }

  return {
    push(chunk) {
      newlines += countNewlines(chunk);
      for (let at = 0; at < chunk.length; ) {
        const inRing = (total - head) % tail;
        const room = total < head ? head - total : tail - inRing;
        const piece = chunk.subarray(at, at + room);
        place(piece, total < head ? total : head + inRing);
        total += piece.length;
        at += piece.length;
      }
    },
    finish() {
      if (broken) {
        const left = Buffer.concat([buffer.subarray(0, Math.min(memory, head)), Buffer.alloc(NOTE_BYTES)]);
        discard();
        return withNote(left, { head: left.length - NOTE_BYTES, start: left.length, total, newlines });
      }
      const dropped = Math.max(0, total - head - tail);
      if (dropped === 0) {
        const whole = total <= memory ? buffer.subarray(0, total) : Buffer.allocUnsafe(total);
        if (total > memory) take(whole, 0);
        discard();
        return { bytes: whole, dropped };
      }
      const ends = Buffer.allocUnsafe(head + tail + NOTE_BYTES);
      take(ends.subarray(0, head), 0);
      const oldest = (total - head) % tail;
      const start = head + NOTE_BYTES;
      take(ends.subarray(start, start + tail - oldest), head + oldest);
      take(ends.subarray(start + tail - oldest), head);
      discard();
      return withNote(ends, { head, start, total, newlines });
    },
    discard,
  };
}

/** Room for the line between beginning and end. */
const NOTE_BYTES = 128;

interface Ends {
  readonly head: number;
  readonly start: number;
  readonly total: number;
  readonly newlines: number;
}

/** Cuts both ends at a line where that is near, and puts the line between them that says what is missing. */
function withNote(ends: Buffer, { head, start, total, newlines }: Ends): Spooled {
  const lastLine = ends.lastIndexOf(NEWLINE, head - 1) + 1;
  const headEnd = lastLine === 0 ? characterStart(ends, head) : lastLine;
  const newline = ends.indexOf(NEWLINE, start);
  let tailStart = newline === -1 || newline === ends.length - 1 ? start : newline + 1;
  if (tailStart === start) while (tailStart < ends.length && isContinuation(ends[tailStart])) tailStart += 1;
  const dropped = total - headEnd - (ends.length - tailStart);
  const lines = newlines - countNewlines(ends.subarray(0, headEnd)) - countNewlines(ends.subarray(tailStart));
  const open = lastLine === 0 ? '\n' : '';
  const note = Buffer.from(`${open}[${dropped} bytes (${lines} lines) were not kept here]\n`);
  note.copy(ends, headEnd);
  ends.copyWithin(headEnd + note.length, tailStart);
  return { bytes: ends.subarray(0, headEnd + note.length + ends.length - tailStart), dropped };
}

/** Not inside a character. */
function characterStart(bytes: Buffer, end: number): number {
  let at = end;
  while (at > 0 && isContinuation(bytes[at - 1])) at -= 1;
  const lead = bytes[at - 1] ?? 0;
  const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return at - 1 + length <= end ? end : at - 1;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

function grown(buffer: Buffer<ArrayBuffer>, needed: number, most: number): Buffer<ArrayBuffer> {
  if (needed <= buffer.length) return buffer;
  const larger = Buffer.allocUnsafe(Math.min(most, Math.max(FIRST_BYTES, 2 * needed)));
  larger.set(buffer);
  return larger;
}

/** A file that nobody else can find, and that is gone when this process is. */
function openNameless(): number {
  const directory = mkdtempSync(join(tmpdir(), 'jeeves-spool-'));
  try {
    return openSync(join(directory, 'output'), 'wx+', 0o600);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at);
}

function readAll(file: number, into: Uint8Array, position: number): void {
  for (let at = 0; at < into.length; ) {
    const read = readSync(file, into, at, into.length - at, position + at);
    if (read === 0) return;
    at += read;
  }
}
