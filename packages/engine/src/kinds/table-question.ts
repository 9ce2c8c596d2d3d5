import type { TextList } from '../split.ts';
import { readTable, type Table } from './table-cells.ts';

/** What a question about a whole table asks for. */
export type TableAnswer =
  /** These lines, best first, hold the answer. */
  | { readonly lines: readonly number[] }
  /** It takes every row to answer. */
  | 'all_rows';

const LARGEST =
  /\b(?:most|largest|biggest|highest|longest|max(?:imum)?|top|greatest|heaviest|slowest|dearest|plus (?:grand|gros|long))\b/i;
const SMALLEST = /\b(?:least|smallest|lowest|shortest|min(?:imum)?|fewest|lightest|fastest|cheapest)\b/i;
const EVERY = /\b(?:how many|how much in total|count|number of|total|sum|average|mean|combien)\b/i;
/** So many of the best rows are shown: the next ones tell by how far the first leads. */
const SHOWN = 5;

/** Words of a goal and the columns that measure them: `memory` is RSS before it is a share. */
const MEASURES: readonly (readonly [RegExp, RegExp])[] = [
  [/\bmem(?:ory)?\b|\bram\b/i, /^(?:rss|%?mem(?:ory)?( usage)?|res|vsz)$/i],
  [/\bcpu\b|processor/i, /^(?:%?cpu)$/i],
  [/\b(?:large|big|small)(?:st|est|ger|gest)\b|\bsize\b|\bspace\b|heaviest|\bdisk\b/i, /^(?:size|bytes|used|length)$/i],
  [/\btime\b|longest|slowest|fastest|duration|shortest/i, /^(?:time|duration|elapsed|seconds|ms|took)/i],
];

/** Answers a superlative by the column it names; undefined when the goal asks for none, or the text is no table. */
export function askTable(lines: TextList, goal: string): TableAnswer | undefined {
  const largest = LARGEST.test(goal);
  const superlative = largest || SMALLEST.test(goal);
  if (!superlative && !EVERY.test(goal)) return undefined;
  const table = readTable(lines);
  if (table === undefined) return undefined;
  const column = superlative ? columnFor(table, goal) : -1;
  if (column === -1) return 'all_rows';
  const ranked = rankBy(lines, table, column);
  if (ranked.length === 0) return 'all_rows';
  ranked.sort((a, b) => (largest ? b.value - a.value : a.value - b.value) || a.line - b.line);
  return { lines: ranked.slice(0, SHOWN).map(({ line }) => line) };
}

/** The one column that the goal names, by its own name or as a measure; -1 when none or more than one would do. */
function columnFor({ names }: Table, goal: string): number {
  const words = new Set(goal.toLowerCase().match(/[\p{L}\p{N}%]+/gu) ?? []);
  const named = names.flatMap((name, at) => (namesColumn(name, words) ? [at] : []));
  if (named.length === 1) return named[0] ?? -1;
  for (const [asked, measured] of MEASURES) {
    if (!asked.test(goal)) continue;
    const found = names.flatMap((name, at) => (measured.test(name) ? [at] : []));
    // Several columns may measure the same thing: the exact one comes first in the list of names.
    const exact = found.find((at) => /^(?:rss|res|size|bytes)$/i.test(names[at] ?? '')) ?? found[0];
    if (exact !== undefined) return exact;
  }
  return -1;
}

function namesColumn(name: string, words: ReadonlySet<string>): boolean {
  const parts = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return parts.length > 0 && parts.every((part) => words.has(part) || words.has(`${part}s`));
}

function rankBy(lines: TextList, table: Table, column: number): { line: number; value: number }[] {
  const rows: { line: number; value: number }[] = [];
  for (let line = 0; line < lines.length; line += 1) {
    if (line === table.header) continue;
    const value = numberIn(table.cells(lines.at(line).slice(0, 2000))?.[column]);
    if (value !== undefined) rows.push({ line, value });
  }
  return rows;
}

const UNITS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** `1,234`, `4.0K`, `12%`, `1:02:03`. */
function numberIn(cell: string | undefined): number | undefined {
  if (cell === undefined) return undefined;
  const clock = /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(cell);
  if (clock !== null) {
    const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = clock;
    return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  }
  const plain = /^[$€£]?(-?\d[\d,]*(?:\.\d+)?)\s*([kmgt]?)i?b?%?(?:\s|$)/i.exec(cell);
  return plain === null
    ? undefined
    : Number((plain[1] ?? '').replaceAll(',', '')) * (UNITS[(plain[2] ?? '').toLowerCase()] ?? 1);
}
