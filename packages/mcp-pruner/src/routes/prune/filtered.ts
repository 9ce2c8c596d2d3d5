import type { Gap, Lines } from '@jeeves/engine';

export interface Filtered {
  readonly text: string;
  /** Numbers of the lines that stand in the text, from 1. */
  readonly kept: readonly number[];
}

export interface FilterOptions {
  readonly keepFirst: boolean;
  /** The result has a budget that nothing may be added to. Default false. */
  readonly strict?: boolean;
}

/**
 * The kept lines as they were, and `(filtered N lines)` for each gap, which ends as the gap's last line does. As in the
 * service whose contract this is, a single line between kept ones stays, and so does a gap no longer than its marker.
 * Under a budget only the latter comes back: a single line may be of any length.
 */
export function filtered(lines: Lines, gaps: readonly Gap[], { keepFirst, strict = false }: FilterOptions): Filtered {
  const pieces: string[] = [];
  const kept: number[] = [];
  let next = 1;
  const keepUntil = (end: number): void => {
    if (end > next) pieces.push(lines.rawRange(next - 1, end - 1));
    for (; next < end; next += 1) kept.push(next);
  };
  for (const { startLine, endLine } of gaps) {
    const first = keepFirst && startLine === 1 ? 2 : startLine;
    keepUntil(first);
    const marker = `(filtered ${endLine - first + 1} lines)${lines.ending(endLine - 1)}`;
    const isBetween = !strict && first === endLine && first > 1 && endLine < lines.length;
    if (first > endLine || isBetween || lines.start(endLine) - lines.start(first - 1) <= marker.length) continue;
    pieces.push(marker);
    next = endLine + 1;
  }
  keepUntil(lines.length + 1);
  return { text: pieces.join(''), kept };
}
