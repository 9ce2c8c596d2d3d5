import type { RecoverOutcome } from '@jeeves/protocol';
import { capUtf8 } from '../exec/truncate.ts';
import { countNewlines } from './fit.ts';

/** Recovered lines, as many as fit. */
export interface Cut {
  readonly recovered: RecoverOutcome;
  /** The first line that is missing; undefined when none is. */
  readonly next?: number;
}

/** As many whole lines as fit, or the beginning of the first one. The ranges say which lines are there. */
export function firstLines(recovered: RecoverOutcome, bytes: number): Cut {
  const capped = capUtf8(recovered.text, bytes);
  if (!capped.truncated) return { recovered };
  const text = capped.text.slice(0, capped.text.lastIndexOf('\n') + 1) || capped.text;
  // A line that alone is too long is begun and counts as given: asking for it again would bring no more.
  let left = Math.max(1, countNewlines(text));
  const ranges: { startLine: number; endLine: number }[] = [];
  for (const { startLine, endLine } of recovered.ranges) {
    if (left === 0) return { recovered: { ...recovered, text, ranges }, next: startLine };
    const last = Math.min(endLine, startLine + left - 1);
    ranges.push({ startLine, endLine: last });
    left -= last - startLine + 1;
    if (last < endLine) return { recovered: { ...recovered, text, ranges }, next: last + 1 };
  }
  return { recovered: { ...recovered, text, ranges } };
}
