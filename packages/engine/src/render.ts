import { formatCanonical, formatCompact, type GapRange, type GapReason, type MarkerStyle } from './marker.ts';
import type { Lines } from './split.ts';

/** A removed block, with the marker that stands (or would stand) in its place. */
export interface Gap extends GapRange {
  readonly lineCount: number;
  readonly reason: GapReason;
  readonly marker: string;
}

export interface RenderOptions {
  readonly pruneId: string;
  readonly markers: MarkerStyle;
  readonly includeMarkers: boolean;
  /** Prefix kept lines with `N│ `, their number in the original. Markers have no number and get no prefix. */
  readonly annotateLines: boolean;
  /** Number of the first line. */
  readonly firstLine: number;
}

export interface Rendered {
  readonly text: string;
  readonly gaps: readonly Gap[];
}

/** Kept lines to text. A marker ends as the last line it stands for, so that putting the gap back is exact. */
export function render(
  lines: Lines,
  kept: Uint8Array,
  reasons: (start: number, end: number) => GapReason,
  options: RenderOptions,
): Rendered {
  const pieces: string[] = [];
  const gaps: Gap[] = [];
  let at = 0;
  while (at < lines.length) {
    const runEnd = endOfRun(kept, at);
    if (kept[at] === 1) pieces.push(keptRun(lines, at, runEnd, options));
    else {
      const gap = toGap(at, runEnd, reasons(at, runEnd), options);
      gaps.push(gap);
      if (options.includeMarkers) pieces.push(gap.marker, lines.ending(runEnd - 1));
    }
    at = runEnd;
  }
  return { text: pieces.join(''), gaps };
}

function endOfRun(kept: Uint8Array, start: number): number {
  let end = start + 1;
  while (end < kept.length && kept[end] === kept[start]) end += 1;
  return end;
}

function keptRun(lines: Lines, first: number, end: number, options: RenderOptions): string {
  if (!options.annotateLines) return lines.rawRange(first, end);
  return numbered(lines, first, end, options.firstLine);
}

/** Lines with their numbers: `12│ text`. */
export function numbered(lines: Lines, first: number, end: number, firstLine: number): string {
  let text = '';
  for (let index = first; index < end; index += 1) text += `${index + firstLine}│ ${lines.raw(index)}`;
  return text;
}

function toGap(first: number, end: number, reason: GapReason, options: RenderOptions): Gap {
  const range = { startLine: first + options.firstLine, endLine: end - 1 + options.firstLine };
  const marker =
    options.markers === 'canonical' ? formatCanonical(options.pruneId, range, reason) : formatCompact(range);
  return { ...range, lineCount: end - first, reason, marker };
}
