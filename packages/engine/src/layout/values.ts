import type { TextList } from '../split.ts';
import { BLANK, COMMENT, IMPORT, type Layout } from './layout.ts';

const LOOK_AT = 160;
const LONGEST_NAME = 60;
const DECLARED =
  /^(?:(?:export|pub|public|private|protected|internal|static|final|readonly|const|let|var|val|constexpr|inline)\s+)+(?:[\w<>[\]]+[ *]+)?([A-Za-z_$][\w$]*)\s*[:=[]/;
const ASSIGNED = /^([A-Za-z_]\w*)\s*(?::[^=]{0,60})?=[^=]/;
/** For a line: the lines that set the constants and top-level variables it uses. */
export function valuesUsed(texts: TextList, layout: Layout): (index: number) => readonly number[] {
  const setAt = new Map<string, number>();
  for (let index = 0; index < texts.length; index += 1) {
    if (((layout.flags[index] ?? 0) & (BLANK | COMMENT | IMPORT)) !== 0) continue;
    const name = valueName(texts.at(index).slice(0, LOOK_AT).trimStart(), layout.indent[index] ?? 0);
    if (name !== undefined && name.length > 2 && !setAt.has(name)) setAt.set(name, index);
  }
  if (setAt.size === 0) return () => [];
  const lengths = new Uint8Array(LONGEST_NAME + 1);
  for (const name of setAt.keys()) if (name.length <= LONGEST_NAME) lengths[name.length] = 1;
  return (index) => {
    const found = new Set<number>();
    const line = texts.at(index).slice(0, 4 * LOOK_AT);
    for (let at = 0; at < line.length; at += 1) {
      if (!isNameUnit(line.charCodeAt(at))) continue;
      const start = at;
      while (at < line.length && isNameUnit(line.charCodeAt(at))) at += 1;
      // Most words are no longer or shorter than any name that is set: no string is made of them.
      if (at - start > LONGEST_NAME || lengths[at - start] === 0) continue;
      const set = setAt.get(line.slice(start, at));
      if (set !== undefined) found.add(set);
    }
    return [...found];
  };
}

function isNameUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 48 && unit <= 57) ||
    unit === 95 ||
    unit === 36
  );
}

/** A value that others can see: top-level, or written as a constant. */
function valueName(visible: string, indent: number): string | undefined {
  if (visible.startsWith('#')) return /^#\s*define\s+(\w+)/.exec(visible)?.[1];
  if (!visible.includes('=') && !visible.includes(':')) return undefined;
  const name = DECLARED.exec(visible)?.[1] ?? ASSIGNED.exec(visible)?.[1];
  return name !== undefined && (indent === 0 || name === name.toUpperCase()) ? name : undefined;
}
