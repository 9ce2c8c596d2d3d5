import type { SourceType } from '../backends/backend.ts';
import type { TextList } from '../split.ts';
import { definitionName, isDefinition, isSignature, isWordUnit } from './definition.ts';
import { headingLevels } from './docs.ts';
import { importExtent, isImport } from './imports.ts';
import { CONTROL, TELLING } from './keywords.ts';

const TAB_WIDTH = 4;
/** Longer lines are data, not structure: only this much of a line is looked at. */
const LOOK_AT = 240;
const MAX_HEADING_LEVEL = 6;

export const BLANK = 1;
export const COMMENT = 2;
export const DEFINITION = 4;
export const IMPORT = 8;
export const CLOSER = 16;

/** What the lines of a text are to each other, read from indentation and first words alone. */
export interface Layout {
  /** Bits: BLANK, COMMENT, DEFINITION, IMPORT, CLOSER. */
  readonly flags: Uint8Array;
  readonly indent: Uint16Array;
  /** The nearest earlier line that encloses this one by indentation, or -1. */
  readonly parent: Int32Array;
  /** The name a definition line gives. */
  readonly name: readonly (string | undefined)[];
}

const known = new WeakMap<TextList, { source: SourceType; layout: Layout }>();

/** Protection, judging and selection all need it, so it is read once per text. */
export function layoutOf(texts: TextList, source: SourceType): Layout {
  const found = known.get(texts);
  if (found?.source === source) return found.layout;
  const layout = source === 'code' ? codeLayout(texts) : proseLayout(texts, source);
  known.set(texts, { source, layout });
  return layout;
}

function codeLayout(texts: TextList): Layout {
  const flags = new Uint8Array(texts.length);
  const indent = new Uint16Array(texts.length);
  const name: (string | undefined)[] = [];
  for (let index = 0; index < texts.length; index += 1) {
    const line = texts.at(index);
    const first = firstVisible(line);
    if (first === line.length) {
      flags[index] = BLANK;
      continue;
    }
    indent[index] = indentWidth(line, first);
    const visible = line.slice(first, first + LOOK_AT);
    flags[index] = flagsOf(visible, index, texts);
    if (flags[index] === DEFINITION) name[index] = definitionName(visible);
  }
  markImports(texts, flags);
  return { flags, indent, parent: parents(flags, indent), name };
}

/** Headings enclose what follows them; below a heading, and in logs, indentation does. */
function proseLayout(texts: TextList, source: SourceType): Layout {
  const { flags, indent } = indentation(texts);
  const depth = Int32Array.from(indent);
  const levels = source === 'docs' ? headingLevels(texts) : new Uint8Array(0);
  for (let index = 0; index < levels.length; index += 1) {
    const level = levels[index] ?? 0;
    if (level === 0) continue;
    flags[index] = DEFINITION;
    depth[index] = level - MAX_HEADING_LEVEL - 1;
  }
  return { flags, indent, parent: parents(flags, depth), name: [] };
}

function indentation(texts: TextList): { flags: Uint8Array; indent: Uint16Array } {
  const flags = new Uint8Array(texts.length);
  const indent = new Uint16Array(texts.length);
  for (let index = 0; index < texts.length; index += 1) {
    const line = texts.at(index);
    const first = firstVisible(line);
    if (first === line.length) flags[index] = BLANK;
    else indent[index] = indentWidth(line, first);
  }
  return { flags, indent };
}

function flagsOf(visible: string, index: number, texts: TextList): number {
  const bodyBelow = () =>
    index + 1 < texts.length &&
    texts
      .at(index + 1)
      .trimStart()
      .startsWith('{');
  const word = firstWord(visible);
  // Most lines begin with a name or a statement, and are told by that alone.
  if (word !== '' && !TELLING.has(word.toLowerCase())) {
    return !CONTROL.has(word) && isSignature(visible, bodyBelow) ? DEFINITION : 0;
  }
  if (isComment(visible)) return COMMENT;
  if (isImport(visible)) return IMPORT;
  if (isCloser(visible)) return CLOSER;
  return isDefinition(visible, bodyBelow) ? DEFINITION : 0;
}

function firstWord(visible: string): string {
  let end = 0;
  while (end < visible.length && isWordUnit(visible.charCodeAt(end))) end += 1;
  return visible.slice(0, end);
}

/** An import statement over several lines is one import. */
function markImports(texts: TextList, flags: Uint8Array): void {
  for (let index = 0; index < flags.length; index += 1) {
    if (((flags[index] ?? 0) & IMPORT) === 0) continue;
    const end = importExtent(texts, index);
    for (; index < end; index += 1) flags[index] = IMPORT;
    index -= 1;
  }
}

function isComment(visible: string): boolean {
  const first = visible.charCodeAt(0);
  const second = visible.charCodeAt(1);
  if (first === 0x23)
    return second !== 0x5b && !/^#\s*(?:include|define|import|pragma|if|else|elif|endif|undef)|^#\w+[(<]/.test(visible);
  if (first === 0x2f) return second === 0x2f || second === 0x2a;
  if (first === 0x2a) return second === 0x20 || second === 0x2f || visible.length === 1 || second === 0x2a;
  if (first === 0x2d) return second === 0x2d && visible.charCodeAt(2) !== 0x2d;
  return visible.startsWith('<!--') || visible.startsWith('"""') || visible.startsWith("'''");
}

/** A line of brackets and separators only: it closes something and says nothing. */
function isCloser(visible: string): boolean {
  for (let at = 0; at < visible.length && at < 12; at += 1) {
    if (!'{}()[];,> \t'.includes(visible[at] ?? '')) return /^(?:end|fi|done|esac)\b;?\s*$/.test(visible);
  }
  return visible.length < 12;
}

function parents(flags: Uint8Array, indent: Uint16Array | Int32Array): Int32Array {
  const parent = new Int32Array(flags.length).fill(-1);
  // Open scopes, innermost last; each line is pushed and popped at most once.
  const open: number[] = [];
  for (let index = 0; index < flags.length; index += 1) {
    if (((flags[index] ?? 0) & BLANK) !== 0) {
      parent[index] = open.at(-1) ?? -1;
      continue;
    }
    while (open.length > 0 && (indent[open.at(-1) ?? 0] ?? 0) >= (indent[index] ?? 0)) open.pop();
    parent[index] = open.at(-1) ?? -1;
    if (((flags[index] ?? 0) & (COMMENT | CLOSER)) === 0) open.push(index);
  }
  return parent;
}

function firstVisible(line: string): number {
  let at = 0;
  while (at < line.length && (line.charCodeAt(at) <= 32 || line.charCodeAt(at) === 0xfeff)) at += 1;
  return at;
}

function indentWidth(line: string, first: number): number {
  let width = 0;
  for (let at = 0; at < first; at += 1) width += line.charCodeAt(at) === 9 ? TAB_WIDTH : 1;
  return width;
}
