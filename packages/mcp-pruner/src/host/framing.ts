import { Buffer, isUtf8 } from 'node:buffer';

/** One line of the peer, or what stands for a line that cannot be taken. */
export type Frame =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'not_utf8' };

export interface FrameReader {
  /** The frames that this chunk completes. */
  readonly push: (chunk: Uint8Array) => Frame[];
  /** What the input ended with, where its last line lacks a newline. */
  readonly end: () => Frame[];
}

/** The longest message that is read, its newline apart. */
export const MAX_MESSAGE_BYTES: number = 16 * 1024 * 1024;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Splits a byte stream at newlines in time linear to its length, however it is chunked. A line past the limit is
 * reported once and skipped without being kept; reading goes on at the next newline.
 */
export function createFrameReader(maxBytes: number = MAX_MESSAGE_BYTES): FrameReader {
  const line = createLineBuffer();
  let skipping = false;

  function push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let start = 0;
    for (let newline = chunk.indexOf(NEWLINE); newline >= 0; newline = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, newline), true, frames);
      start = newline + 1;
    }
    if (start < chunk.length) take(chunk.subarray(start), false, frames);
    return frames;
  }

  function take(bytes: Uint8Array, complete: boolean, frames: Frame[]): void {
    if (!skipping && line.length + bytes.length > maxBytes) {
      skipping = true;
      line.clear();
      frames.push({ kind: 'too_large' });
    }
    if (skipping) skipping = !complete;
    else if (complete) finish(line.with(bytes), frames);
    else line.append(bytes);
  }

  function end(): Frame[] {
    const frames: Frame[] = [];
    if (!skipping) finish(line.with(new Uint8Array()), frames);
    skipping = false;
    return frames;
  }

  function finish(bytes: Uint8Array, frames: Frame[]): void {
    const frame = toFrame(bytes);
    if (frame !== undefined) frames.push(frame);
    line.clear();
  }

  return { push, end };
}

/** Nothing for an empty line. */
function toFrame(bytes: Uint8Array): Frame | undefined {
  const length = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  if (length === 0) return undefined;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, length);
  return isUtf8(content) ? { kind: 'text', text: content.toString('utf8') } : { kind: 'not_utf8' };
}

interface LineBuffer {
  readonly length: number;
  readonly append: (bytes: Uint8Array) => void;
  /** What was kept and `bytes` as one piece; nothing is copied when nothing was kept. */
  readonly with: (bytes: Uint8Array) => Uint8Array;
  readonly clear: () => void;
}

/** Grows by doubling, so that a line which arrives byte by byte costs neither quadratic time nor an object per byte. */
function createLineBuffer(): LineBuffer {
  let kept = Buffer.alloc(0);
  let length = 0;

  function append(bytes: Uint8Array): void {
    const needed = length + bytes.length;
    if (needed > kept.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * kept.length, 4096));
      kept.copy(larger, 0, 0, length);
      kept = larger;
    }
    kept.set(bytes, length);
    length = needed;
  }

  return {
    get length() {
      return length;
    },
    append,
    with: (bytes) => {
      if (length === 0) return bytes;
      append(bytes);
      return kept.subarray(0, length);
    },
    clear: () => {
      // The room of a giant message is given back.
      kept = Buffer.alloc(0);
      length = 0;
    },
  };
}
