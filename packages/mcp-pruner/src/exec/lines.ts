import type { FileHandle } from 'node:fs/promises';

/** Texts by line number, from 1. */
export type Lines = ReadonlyMap<number, string>;

/** A way to see the bytes of a file; null when the file cannot be seen that way. */
export type View = (first: Buffer) => ((chunk: Buffer) => Buffer) | null;

/** The ways in which search programs see a file: as it is, NUL as the end of a line, UTF-16 after its mark. */
export const VIEWS: readonly View[] = [
  () => (chunk) => chunk,
  () => (chunk) => chunk.map((byte) => (byte === 0 ? NEWLINE : byte)) as Buffer,
  (first) => {
    const encoding = UTF_16[first.toString('latin1', 0, 2)];
    if (encoding === undefined) return null;
    const decoder = new TextDecoder(encoding);
    return (chunk) => Buffer.from(decoder.decode(chunk, { stream: true }));
  },
];

export interface LineRequest {
  readonly view: View;
  /** For each wanted line the bytes wanted of it. */
  readonly sizes: ReadonlyMap<number, number>;
  /** Called before each read. */
  readonly check: () => void;
}

const NEWLINE = 10;
const UTF_16: Readonly<Record<string, string>> = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' };
// Small, so that a chunk of nothing but line feeds holds nobody up.
const CHUNK_BYTES = 64 * 1024;
// A byte order mark and a split character come on top of what is wanted.
const MARGIN_BYTES = 8;

/** Reads the beginnings of some lines of an open file, and no further than the last of them. */
export async function readLines(handle: FileHandle, { view, sizes, check }: LineRequest): Promise<Lines | null> {
  const picker = createPicker(sizes);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let seen: ReturnType<View> = null;
  for (let position = 0; !picker.done; ) {
    check();
    // What cannot be read holds nothing.
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position).catch(() => ({ bytesRead: 0 }));
    const bytes = chunk.subarray(0, bytesRead);
    if (position === 0) seen = view(bytes);
    if (seen === null) return null;
    if (bytesRead === 0) break;
    picker.push(seen(bytes));
    position += bytesRead;
  }
  return picker.lines();
}

interface Picker {
  /** All wanted lines were seen to their end. */
  readonly done: boolean;
  push(chunk: Buffer): void;
  lines(): Lines;
}

function createPicker(sizes: ReadonlyMap<number, number>): Picker {
  const last = Math.max(...sizes.keys());
  const parts = new Map<number, Buffer[]>();
  let line = 1;
  let room = roomFor(line);

  function roomFor(number: number): number {
    const wanted = sizes.get(number);
    if (wanted === undefined) return 0;
    parts.set(number, []);
    return wanted + MARGIN_BYTES;
  }

  return {
    get done() {
      return line > last;
    },
    push(chunk) {
      for (let from = 0; line <= last; ) {
        const at = chunk.indexOf(NEWLINE, from);
        const end = at === -1 ? chunk.length : at;
        if (room > 0 && end > from) {
          // Copied: the next chunk takes the place of this one.
          const part = Buffer.from(chunk.subarray(from, Math.min(end, from + room)));
          parts.get(line)?.push(part);
          room -= part.length;
        }
        if (at === -1) return;
        line += 1;
        room = roomFor(line);
        from = at + 1;
      }
    },
    lines: () => new Map([...parts].map(([number, pieces]) => [number, Buffer.concat(pieces).toString()])),
  };
}
