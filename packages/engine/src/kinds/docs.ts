import { fenceExtents } from '../layout/docs.ts';
import { layoutOf } from '../layout/layout.ts';
import type { Lines } from '../split.ts';
import { type Kind, type Structure, scopesOf } from './kind.ts';

/** A sentence is wrapped over a few lines: so short a paragraph stays or goes as a whole. */
const SHORT_PARAGRAPH = 5;
const SHORT_FENCE = 12;

/** Prose: a line needs the headings above it; short paragraphs and fenced examples stay whole. */
export const DOCS: Kind = { name: 'docs', source: 'docs', structure };

function structure(lines: Lines): Structure {
  const { parent } = layoutOf(lines, 'docs');
  const joined = new Uint8Array(lines.length);
  const fences = fenceExtents(lines);
  let start = 0;
  for (let line = 0; line <= lines.length; line += 1) {
    const fenceEnd = fences[line] ?? 0;
    if (fenceEnd > line + 1 && fenceEnd - line <= SHORT_FENCE) joined.fill(1, line + 1, fenceEnd);
    const ends = line === lines.length || isBlank(lines, line) || (parent[line] ?? -1) >= start || fenceEnd > 0;
    if (!ends) continue;
    if (line - start > 1 && line - start <= SHORT_PARAGRAPH && sameParent(parent, start, line))
      joined.fill(1, start + 1, line);
    start = line < lines.length && isBlank(lines, line) ? line + 1 : line;
  }
  return { joined, scopeEnd: scopesOf(parent) };
}

function isBlank(lines: Lines, line: number): boolean {
  return lines.at(line).slice(0, 80).trim() === '';
}

/** A heading or a list item that encloses the next line is no part of its paragraph. */
function sameParent(parent: Int32Array, first: number, end: number): boolean {
  for (let line = first + 1; line < end; line += 1) if (parent[line] !== parent[first]) return false;
  return true;
}
