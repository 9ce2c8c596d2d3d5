import { BLANK, CLOSER, DEFINITION, type Layout, layoutOf } from '../layout/layout.ts';
import { valuesUsed } from '../layout/values.ts';
import type { Lines } from '../split.ts';
import { type Kind, loose, type Structure, scopesOf } from './kind.ts';

/** `if (full)` without what it guards says nothing: a body of so many lines comes with its head. */
const SHORT_BODY = 3;
const LONGEST_SIGNATURE = 12;

/** Source code: a line wants the definition it is in; a head keeps its short body, a signature its parameters. */
export const CODE: Kind = { name: 'code', source: 'code', structure };

function structure(lines: Lines): Structure {
  const layout = layoutOf(lines, 'code');
  const ends = scopesOf(layout.parent);
  const joined = new Uint8Array(lines.length);
  for (let line = 0; line < lines.length; line += 1) {
    if (((layout.flags[line] ?? 0) & DEFINITION) !== 0) joined.fill(1, line + 1, signatureEnd(lines, line));
    const end = bodyEnd(layout, line, ends[line] ?? line);
    if (end - line - 1 <= SHORT_BODY) joined.fill(1, line + 1, closerEnd(layout, end, line));
  }
  return {
    joined,
    scopeEnd: loose(lines.length).scopeEnd,
    encloser: definitions(layout),
    valuesUsed: valuesUsed(lines, layout),
  };
}

/** The nearest definition that each line is in. */
function definitions({ parent, flags }: Layout): Int32Array {
  const found = new Int32Array(parent.length).fill(-1);
  for (let line = 0; line < parent.length; line += 1) {
    const above = parent[line] ?? -1;
    if (above !== -1) found[line] = ((flags[above] ?? 0) & DEFINITION) === 0 ? (found[above] ?? -1) : above;
  }
  return found;
}

/** One past the last line of the body below a head, without the blank lines that follow it. */
function bodyEnd({ flags }: Layout, head: number, scopeEnd: number): number {
  let end = scopeEnd;
  while (end > head + 1 && flags[end - 1] === BLANK) end -= 1;
  return end;
}

/** The bracket that closes a short body belongs to it. */
function closerEnd({ flags, indent }: Layout, end: number, head: number): number {
  if (end === head + 1) return end;
  return ((flags[end] ?? 0) & CLOSER) !== 0 && indent[end] === indent[head] ? end + 1 : end;
}

/** One past the line where the parameter list of a definition closes. */
function signatureEnd(lines: Lines, first: number): number {
  const limit = Math.min(lines.length, first + LONGEST_SIGNATURE);
  let depth = 0;
  for (let line = first; line < limit; line += 1) {
    depth += parenBalance(lines.at(line));
    if (depth <= 0) return line + 1;
  }
  return first + 1;
}

export function parenBalance(line: string): number {
  let balance = 0;
  for (let at = 0; at < Math.min(line.length, 400); at += 1) {
    const unit = line.charCodeAt(at);
    if (unit === 0x28) balance += 1;
    else if (unit === 0x29) balance -= 1;
  }
  return balance;
}
