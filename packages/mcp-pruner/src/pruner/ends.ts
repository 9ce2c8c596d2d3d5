import { Buffer } from 'node:buffer';
import type * as Engine from '@jeeves/engine';
import type { Lines } from '@jeeves/engine';

const NOTE_BYTES = 96;

/** Beginning and end of a text that somebody else wrote, within so many bytes; a line says what is missing. */
export function endsOf(text: string, bytes: number, { windowOf }: typeof Engine): string {
  const written = Buffer.from(text);
  if (written.length <= bytes) return text;
  const limits = { bytes: Math.max(0, bytes - NOTE_BYTES), lines: Number.POSITIVE_INFINITY };
  const { head, tail, skippedLines } = windowOf(written, limits);
  return `${head}[${skippedLines} lines left out here; recover_text gives the raw output]\n${tail}`;
}

/** The same choice of lines without those in its middle, so that the rest takes at most so many bytes. */
export function keptEnds(lines: Lines, kept: Uint8Array, bytes: number): Uint8Array {
  const ends = new Uint8Array(kept.length);
  takeFrom(0, 1);
  takeFrom(kept.length - 1, -1);
  return ends;

  function takeFrom(start: number, step: 1 | -1): void {
    let room = bytes / 2;
    for (let at = start; at >= 0 && at < kept.length; at += step) {
      if (kept[at] === 0 || ends[at] === 1) continue;
      room -= Buffer.byteLength(lines.raw(at));
      if (room < 0) return;
      ends[at] = 1;
    }
  }
}
