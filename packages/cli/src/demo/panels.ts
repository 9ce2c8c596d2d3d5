import { type Gap, split } from '@jeeves/engine';
import { counted } from '../output/numbers.ts';
import { type Row, rowsOf } from '../output/rows.ts';
import type { Style } from '../output/style.ts';
import { fill, shorten } from './fit.ts';
import type { Played } from './play.ts';

/** From this width on, before and after fit beside each other. */
const SIDE_BY_SIDE = 100;
/** Room for a line's number. */
const INDENT = ' '.repeat(6);
const EXCERPT_ROWS = 20;
/** How much of the excerpt stands above the line it is about. */
const ROWS_ABOVE = 3;
const BEFORE_ROWS = 5;

/** Why a gap was cut, in words. */
export const REASONS: Readonly<Record<Gap['reason'], string>> = {
  off_goal: 'off the goal',
  repeated: 'repeats lines above',
  blank: 'blank',
};

/** An excerpt of the text before and after pruning, in the lines that the terminal has. */
export function panels(played: Played, width: number, style: Style): string[] {
  const excerpt = excerptOf(played);
  return width >= SIDE_BY_SIDE ? sideBySide(played, excerpt, width, style) : stacked(played, excerpt, width, style);
}

/** Rows of the pruned text, and how many were left out between them to save space on the screen. */
type Excerpt = readonly (Row | { readonly kind: 'skipped'; readonly count: number })[];

/** Rows around the lines that the scene is about. A text in which they are missing is shown from its start. */
function excerptOf({ text, result, scene }: Played): Excerpt {
  const rows = rowsOf(text, result.gaps);
  const shown = new Uint8Array(rows.length);
  const room = Math.floor(EXCERPT_ROWS / scene.focus.length);
  for (const focus of scene.focus) {
    const found = rows.findIndex((row) => row.kind === 'line' && row.raw.includes(focus));
    const first = Math.max(0, Math.min(found - ROWS_ABOVE, rows.length - room));
    shown.fill(1, first, first + room);
    if (!rows.slice(first, first + room).some(isGap)) showNearestGaps(rows, shown, first, first + room);
  }
  const excerpt: Excerpt[number][] = [];
  for (let at = 0; at < rows.length; ) {
    const next = shown.indexOf(shown[at] === 1 ? 0 : 1, at);
    const end = next === -1 ? rows.length : next;
    if (shown[at] === 1) excerpt.push(...rows.slice(at, end));
    else excerpt.push({ kind: 'skipped', count: end - at });
    at = end;
  }
  return excerpt;
}

/** The gaps before and after a stretch without any, each with the line next to it: a demo of cuts has to show some. */
function showNearestGaps(rows: readonly Row[], shown: Uint8Array, first: number, end: number): void {
  const before = rows.slice(0, first).findLastIndex(isGap);
  const after = rows.findIndex((row, at) => at >= end && isGap(row));
  if (before !== -1) shown.fill(1, Math.max(0, before - 1), before + 2);
  if (after !== -1) shown.fill(1, after - 1, after + 2);
}

function isGap(row: Row): boolean {
  return row.kind === 'gap';
}

/** For narrow terminals: the head of the raw text, then the excerpt. */
function stacked(played: Played, excerpt: Excerpt, width: number, style: Style): string[] {
  const lines = split(played.text);
  const numbered = numbering(played, width);
  const head = Array.from({ length: Math.min(BEFORE_ROWS, lines.length) }, (_, at) =>
    style.dim(numbered(at + 1, lines.at(at))),
  );
  const after = excerpt.map((row) => {
    if (row.kind === 'skipped') return style.dim(elision(row.count, 'row'));
    return row.kind === 'gap' ? gapRow(row.gap, width, style) : numbered(row.number, row.raw);
  });
  const rest = style.dim(elision(lines.length - head.length, 'line'));
  return [style.bold('before'), ...head, rest, '', style.bold('after'), ...after];
}

/** For wide terminals: what was cut stands dimmed beside the line that replaces it. */
function sideBySide(played: Played, excerpt: Excerpt, width: number, style: Style): string[] {
  const half = Math.floor((width - 3) / 2);
  const lines = split(played.text);
  const numbered = numbering(played, half);
  const both = (left: string, right: string): string => `${left} ${style.dim('│')} ${right}`.trimEnd();
  const lineAt = (number: number): string => numbered(number, lines.at(number - 1));
  const body = excerpt.flatMap((row) => {
    if (row.kind === 'skipped') return [style.dim(elision(row.count, 'row'))];
    if (row.kind === 'line') return [both(fill(lineAt(row.number), half), lineAt(row.number))];
    const [first = '', ...others] = lostLines(row.gap, lineAt).map((line) => style.dim(fill(line, half)));
    return [both(first, gapRow(row.gap, half, style))].concat(others.map((line) => both(line, '')));
  });
  return [both(style.bold(fill('before', half)), style.bold('after')), ...body];
}

/** What a gap took away, in at most three lines: a long one is shown by its ends. */
function lostLines({ startLine, endLine, lineCount }: Gap, lineAt: (number: number) => string): string[] {
  if (lineCount <= 3) return Array.from({ length: lineCount }, (_, at) => lineAt(startLine + at));
  return [lineAt(startLine), elision(lineCount - 2, 'line'), lineAt(endLine)];
}

function gapRow({ startLine, endLine, lineCount, reason }: Gap, width: number, style: Style): string {
  const range = startLine === endLine ? String(startLine) : `${startLine}–${endLine}`;
  const text = `${INDENT}┄┄ ${counted(lineCount, 'line')} cut: ${range}, ${REASONS[reason]} `;
  return style.cyan(shorten(text + '┄'.repeat(Math.max(0, width - text.length)), width));
}

function numbering({ scene }: Played, width: number): (number: number, line: string) => string {
  const cut = scene.source === 'logs' ? 'middle' : 'end';
  return (number, line) => {
    const prefix = String(number).padStart(INDENT.length - 1);
    return `${prefix} ${shorten(line, width - INDENT.length, cut)}`.trimEnd();
  };
}

function elision(count: number, noun: string): string {
  return `${INDENT}⋮ ${counted(count, `more ${noun}`)}`;
}
