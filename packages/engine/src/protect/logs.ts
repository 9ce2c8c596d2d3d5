import { isCalm, isErrorLine, namesError } from '../logs/error-line.ts';
import { findTemplates } from '../logs/template.ts';
import { traceEnd } from '../logs/trace.ts';
import type { Lines } from '../split.ts';

const BEFORE = 1;
const AFTER = 2;
/** Lines that merely continue an error: compiler carets, indented details. */
const MAX_DETAIL_LINES = 12;
/** From this occurrence on, the context of an error says nothing that an earlier one did not. */
const SAME_AGAIN = 3;

/** Keeps every line that reports an error, what stands right around it, and whole stack traces. */
export function protectLogs(lines: Lines, keep: Uint8Array): void {
  const { earlier, key } = findTemplates(lines);
  const traces = new Map<number, number>();
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines.at(index);
    const end = traceEnd(lines, index);
    if (end > index + 1) {
      if (timesSeen(traces, key.subarray(index, end)) < SAME_AGAIN) keep.fill(1, Math.max(0, index - BEFORE), end);
      else keepErrorLines(lines, index, end, keep);
      index = end - 1;
    } else if (isErrorLine(line)) {
      // A line that names an error always stays; one that says all is well brings no context along.
      if (!isCalm(line)) protectError(lines, index, (earlier[index] ?? 0) < SAME_AGAIN, keep);
      else if (namesError(line)) keep[index] = 1;
    }
  }
}

/** How often this very trace, frame by frame, stood here before: traces often begin alike. */
function timesSeen(traces: Map<number, number>, frames: Int32Array): number {
  let hash = frames.length;
  for (const frame of frames) hash = Math.imul(hash ^ frame, 0x01000193) | 0;
  const times = traces.get(hash) ?? 0;
  traces.set(hash, times + 1);
  return times;
}

function keepErrorLines(lines: Lines, first: number, end: number, keep: Uint8Array): void {
  for (let index = first; index < end; index += 1) if (isErrorLine(lines.at(index))) keep[index] = 1;
}

function protectError(lines: Lines, index: number, withContext: boolean, keep: Uint8Array): void {
  keep[index] = 1;
  if (!withContext) return;
  let end = Math.min(lines.length, index + 1);
  const limit = Math.min(lines.length, index + 1 + MAX_DETAIL_LINES);
  while (end < limit && isDetail(lines.at(end))) end += 1;
  end = Math.max(end, Math.min(lines.length, index + 1 + AFTER));
  keep.fill(1, Math.max(0, index - BEFORE), end);
}

function isDetail(line: string): boolean {
  return /^\s*(?:\d+\s*)?\||^\s{2,}\S|^\t|^\s*-->|^\s*[\^~]|^[+-] (?:expected|actual|received)|^E {3}/i.test(
    line.slice(0, 80),
  );
}
