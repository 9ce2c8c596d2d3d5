import { type Gap, printable, split } from '@jeeves/engine';

/** A text as a reader sees it after pruning, told from the raw text and its gaps: markers in the input stay lines. */
export type Row =
  | { readonly kind: 'line'; readonly number: number; readonly raw: string }
  | { readonly kind: 'gap'; readonly gap: Gap; readonly ending: string };

/** Kept lines and gaps in the order of the text. Lines are numbered from 1: nothing here prunes a window of a file. */
export function rowsOf(text: string, gaps: readonly Gap[]): Row[] {
  const lines = split(text);
  const rows: Row[] = [];
  let number = 1;
  for (const gap of gaps) {
    for (; number < gap.startLine; number += 1) rows.push({ kind: 'line', number, raw: lines.raw(number - 1) });
    rows.push({ kind: 'gap', gap, ending: lines.ending(gap.endLine - 1) });
    number = gap.endLine + 1;
  }
  for (; number <= lines.length; number += 1) rows.push({ kind: 'line', number, raw: lines.raw(number - 1) });
  return rows;
}

/** Words that were read, on one line of a list, without anything that a terminal would obey. */
export function oneLine(text: string, most = 80): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
