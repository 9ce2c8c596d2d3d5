import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';

export interface LineReader {
  readonly onLine: (line: string) => void;
  /** A line grew beyond all measure: nothing sensible will follow. */
  readonly onOverflow: () => void;
  readonly maxBytes: number;
}

/** Splits a stream at newlines, holding no more of it than one line. */
export function readLines(stream: Readable, { onLine, onOverflow, maxBytes }: LineReader): void {
  let pieces: Buffer[] = [];
  let size = 0;
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...pieces, chunk.subarray(start, end)]).toString('utf8');
      pieces = [];
      size = 0;
      start = end + 1;
      onLine(line);
    }
    pieces.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size <= maxBytes) return;
    pieces = [];
    size = 0;
    stream.destroy();
    onOverflow();
  });
}
