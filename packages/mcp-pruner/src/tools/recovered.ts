import type { RecoverOutcome } from '@jeeves/protocol';
import { capUtf8 } from '../exec/truncate.ts';
import { countNewlines } from './size.ts';

/** Recovered lines, as many as fit. */
export interface Cut {
  readonly recovered: RecoverOutcome;
  /** Says what is missing and which call gives it; undefined when nothing is. */
  readonly notice?: string;
}

/** As many whole lines as fit; of a line that was asked for alone, its beginning. The ranges say which are whole. */
export function firstLines(recovered: RecoverOutcome, bytes: number): Cut {
  const capped = capUtf8(recovered.text, bytes);
  if (!capped.truncated) return { recovered };
  const text = capped.text.slice(0, capped.text.lastIndexOf('\n') + 1);
  const { given, missing } = divided(recovered, countNewlines(text));
  if (given.length > 0) {
    const notice = `[cut at ${bytes} bytes; recover on with start_line=${missing}]`;
    return { recovered: { ...recovered, text, ranges: given, truncated: true }, notice };
  }
  if (lineCount(recovered) > 1) {
    const notice = `[line ${missing} is longer than ${bytes} bytes; recover it alone with start_line=${missing} end_line=${missing}, then the lines after it]`;
    return { recovered: { ...recovered, text: '', ranges: [], truncated: true }, notice };
  }
  const notice = `[cut at ${bytes} bytes inside line ${missing}; a reply holds no more of it]`;
  return { recovered: { ...recovered, text: capped.text, ranges: [], truncated: true }, notice };
}

/** How many lines were asked for. */
export function lineCount({ ranges }: RecoverOutcome): number {
  return ranges.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0);
}

type Ranges = RecoverOutcome['ranges'];

/** The ranges of the first `count` lines, and the line after them. */
function divided(
  { ranges, marked = false }: RecoverOutcome,
  count: number,
): { given: Ranges; missing: number | undefined } {
  const given: { startLine: number; endLine: number }[] = [];
  let left = count;
  for (const { startLine, endLine } of ranges) {
    // Between two ranges stands the marker of what lies between them.
    if (marked && given.length > 0 && left > 0) left -= 1;
    if (left === 0) return { given, missing: startLine };
    const last = Math.min(endLine, startLine + left - 1);
    given.push({ startLine, endLine: last });
    left -= last - startLine + 1;
    if (last < endLine) return { given, missing: last + 1 };
  }
  return { given, missing: undefined };
}
