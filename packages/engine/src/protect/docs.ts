import { fenceExtents, headingLevels } from '../layout/docs.ts';
import type { Lines } from '../split.ts';

/** Keeps headings, and makes each fenced code block stay or go as a whole. */
export function protectDocs(lines: Lines, keep: Uint8Array, whole: (readonly [number, number])[]): void {
  const levels = headingLevels(lines);
  const fences = fenceExtents(lines);
  for (let index = 0; index < lines.length; index += 1) {
    if ((levels[index] ?? 0) > 0) keep[index] = 1;
    const end = fences[index] ?? 0;
    if (end > 0) whole.push([index, end]);
  }
}
