import { Buffer, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Frame } from '../framing.ts';

/** A whole body, or why there is none. */
export type BodyOutcome =
  | { readonly kind: 'whole'; readonly body: Uint8Array }
  | { readonly kind: 'too_large' | 'too_slow' | 'no_room' | 'aborted' };

export interface BodyLimits {
  readonly maxBytes: number;
  /** The longest pause in the middle of a body. */
  readonly idleMs: number;
  /** Counts what all bodies together hold in memory; false when these bytes would be too many. */
  readonly reserve: (bytes: number) => boolean;
}

/** Reads a body whole. Whatever it reserved, the caller gives back. */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<BodyOutcome> {
  return new Promise((resolve) => {
    const collected = createCollector();
    const timer = setTimeout(() => finish({ kind: 'too_slow' }), limits.idleMs);

    function finish(outcome: BodyOutcome): void {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(outcome);
    }
    function onData(chunk: Uint8Array): void {
      timer.refresh();
      if (collected.length + chunk.length > limits.maxBytes) finish({ kind: 'too_large' });
      else if (limits.reserve(chunk.length)) collected.add(chunk);
      else finish({ kind: 'no_room' });
    }
    function onEnd(): void {
      finish({ kind: 'whole', body: collected.whole() });
    }
    function onClose(): void {
      finish({ kind: 'aborted' });
    }
    request.on('error', () => undefined);
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/** A body as the one message it is. */
export function frameOf(body: Uint8Array): Frame {
  if (!isUtf8(body)) return { kind: 'not_utf8' };
  return { kind: 'text', text: Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8') };
}

interface Collector {
  readonly length: number;
  readonly add: (chunk: Uint8Array) => void;
  readonly whole: () => Uint8Array;
}

/** Most bodies are one chunk and not copied. More of them are: a body that comes byte by byte must not be an object each. */
function createCollector(): Collector {
  let kept: Uint8Array = new Uint8Array();
  let length = 0;
  return {
    get length() {
      return length;
    },
    add: (chunk) => {
      const needed = length + chunk.length;
      if (length === 0) kept = chunk;
      else if (needed > kept.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, 2 * kept.length));
        larger.set(kept.subarray(0, length));
        kept = larger;
      }
      if (length > 0) kept.set(chunk, length);
      length = needed;
    },
    whole: () => kept.subarray(0, length),
  };
}
