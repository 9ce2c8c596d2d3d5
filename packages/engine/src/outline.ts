import type { Job } from './job.ts';
import { BLANK, COMMENT, DEFINITION, IMPORT, layoutOf } from './layout/layout.ts';
import { isCalm, isErrorLine } from './logs/error-line.ts';
import { findTemplates } from './logs/template.ts';
import type { Lines } from './split.ts';

/** How much of a text its outline may show: where nothing serves the goal, every line is noise. */
const SHARE = 0.01;
const FIRST = 3;
const LAST = 2;

/** The first and last lines of a text, as far as they are cheap. */
export function edgesOf(lines: Lines, tokens: Float64Array): Uint8Array {
  const kept = new Uint8Array(lines.length);
  let left = SHARE * tokens.reduce((sum, count) => sum + count, 0);
  const take = (line: number): void => {
    left -= tokens[line] ?? 0;
    if (left >= 0) kept[line] = 1;
  };
  for (let line = 0; line < Math.min(FIRST, lines.length); line += 1) take(line);
  for (let line = lines.length - 1; line >= Math.max(FIRST, lines.length - LAST); line -= 1) take(line);
  return kept;
}

/** What a text consists of, in one line: what a reader can ask for next. */
export function outlineOf({ lines, kind }: Job): string {
  const parts = kind.source === 'logs' ? logParts(lines) : layoutParts(lines, kind.source);
  const said = parts.filter(([count]) => count > 0).map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
  return `⟦no match: ${lines.length} lines of ${kind.name}${said.length === 0 ? '' : ` (${said.join(', ')})`}⟧`;
}

type Part = readonly [count: number, one: string, many: string];

function layoutParts(lines: Lines, source: 'code' | 'docs'): Part[] {
  const { flags } = layoutOf(lines, source);
  const count = (bit: number): number => flags.reduce((sum, flag) => sum + ((flag & bit) === 0 ? 0 : 1), 0);
  const definitions: Part =
    source === 'code' ? [count(DEFINITION), 'definition', 'definitions'] : [count(DEFINITION), 'heading', 'headings'];
  return [
    definitions,
    [count(IMPORT), 'import', 'imports'],
    [count(COMMENT), 'comment', 'comments'],
    [count(BLANK), 'blank', 'blank'],
  ];
}

function logParts(lines: Lines): Part[] {
  const { earlier } = findTemplates(lines);
  let [kinds, errors] = [0, 0];
  for (let line = 0; line < lines.length; line += 1) {
    if (earlier[line] === 0) kinds += 1;
    const text = lines.at(line).slice(0, 400);
    if (isErrorLine(text) && !isCalm(text)) errors += 1;
  }
  return [
    [kinds, 'kind of line', 'kinds of lines'],
    [errors, 'error line', 'error lines'],
  ];
}
