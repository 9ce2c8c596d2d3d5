import { Buffer } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { LOG_LINE, type LogLine } from '@jeeves/protocol';

export interface EventFile {
  /** Reads what has been added by now. */
  readonly drain: () => void;
  /** Drains once more and stops following. */
  readonly stop: () => void;
}

const POLL_MS = 100;
const CHUNK_BYTES = 64 * 1024;
/** A server that writes lines beyond this has lost its mind; the rest of such a line is skipped. */
const MAX_LINE_BYTES = 1024 * 1024;

/** Follows the file that servers add their events to. Lines that are none are skipped: it is not ours alone. */
export function followEventFile(path: string, onLine: (line: LogLine) => void): EventFile {
  let offset = 0;
  let rest = Buffer.alloc(0);
  let skipping = false;
  function take(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      const line = readLine(Buffer.concat([rest, bytes.subarray(start, end)]).toString('utf8'));
      if (line !== undefined && !skipping) onLine(line);
      rest = Buffer.alloc(0);
      skipping = false;
      start = end + 1;
    }
    rest = Buffer.concat([rest, bytes.subarray(start)]);
    if (rest.length <= MAX_LINE_BYTES) return;
    rest = Buffer.alloc(0);
    skipping = true;
  }
  function drain(): void {
    offset = readFrom(path, offset, take);
  }
  const timer = setInterval(drain, POLL_MS);
  return {
    drain,
    stop() {
      clearInterval(timer);
      drain();
    },
  };
}

/** The new offset. A file that is not there yet, or no more, has nothing to say. */
function readFrom(path: string, start: number, take: (bytes: Buffer) => void): number {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return start;
  }
  let offset = start;
  try {
    for (;;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const count = readSync(file, chunk, 0, CHUNK_BYTES, offset);
      if (count === 0) return offset;
      offset += count;
      take(chunk.subarray(0, count));
    }
  } catch {
    return offset;
  } finally {
    closeSync(file);
  }
}

function readLine(text: string): LogLine | undefined {
  try {
    const { success, data } = LOG_LINE.safeParse(JSON.parse(text));
    return success ? data : undefined;
  } catch {
    return undefined;
  }
}
