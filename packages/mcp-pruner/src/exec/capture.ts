import { capUtf8 } from './truncate.ts';

/** Keeps the beginning of a stream and counts nothing of the rest. */
export interface Capture {
  readonly push: (chunk: Buffer) => void;
  /** Decoded; bytes that are no UTF-8 are U+FFFD. At least as long as the cap if the stream was longer. */
  text(): string;
}

// A character cut at the end of what is kept starts behind the cap, so that it never shows.
const MARGIN_BYTES = 4;
const FIRST_BYTES = 8192;

export function createCapture(maxBytes: number): Capture {
  const limit = maxBytes + MARGIN_BYTES;
  // One buffer that grows: a list of chunks would cost a multiple of what it holds when they are tiny.
  let kept = Buffer.alloc(0);
  let length = 0;
  return {
    push(chunk) {
      const taken = Math.min(chunk.length, limit - length);
      if (length + taken > kept.length) {
        const larger = Buffer.allocUnsafe(Math.min(limit, Math.max(FIRST_BYTES, 2 * (length + taken))));
        kept.copy(larger, 0, 0, length);
        kept = larger;
      }
      chunk.copy(kept, length, 0, taken);
      length += taken;
    },
    text: () => kept.toString('utf8', 0, length),
  };
}

export interface Streams {
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

/** Fits both streams into one cap. When both want more than there is, a third goes to stdout: errors tell more. */
export function shareCap(stdout: string, stderr: string, maxBytes: number): Streams {
  const wanted = Buffer.byteLength(stderr);
  const out = capUtf8(stdout, Math.max(Math.floor(maxBytes / 3), maxBytes - wanted));
  const err = capUtf8(stderr, maxBytes - Buffer.byteLength(out.text));
  return { stdout: out.text, stderr: err.text, truncated: out.truncated || err.truncated };
}
