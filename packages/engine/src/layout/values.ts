import type { TextList } from '../split.ts';
import { BLANK, COMMENT, IMPORT, type Layout } from './layout.ts';

const LOOK_AT = 160;
const DECLARED =
  /^(?:(?:export|pub|public|private|protected|internal|static|final|readonly|const|let|var|val|constexpr|inline)\s+)+(?:[\w<>[\]]+[ *]+)?([A-Za-z_$][\w$]*)\s*[:=[]/;
const ASSIGNED = /^([A-Za-z_]\w*)\s*(?::[^=]{0,60})?=[^=]/;
const NAME = /[A-Za-z_$][\w$]{2,60}/g;

/** For a line: the lines that set the constants and top-level variables it uses. */
export function valuesUsed(texts: TextList, layout: Layout): (index: number) => readonly number[] {
  const setAt = new Map<string, number>();
  for (let index = 0; index < texts.length; index += 1) {
    if (((layout.flags[index] ?? 0) & (BLANK | COMMENT | IMPORT)) !== 0) continue;
    const name = valueName(texts.at(index).slice(0, LOOK_AT).trimStart(), layout.indent[index] ?? 0);
    if (name !== undefined && name.length > 2 && !setAt.has(name)) setAt.set(name, index);
  }
  if (setAt.size === 0) return () => [];
  return (index) => {
    const names = new Set(
      texts
        .at(index)
        .slice(0, 4 * LOOK_AT)
        .match(NAME) ?? [],
    );
    return [...names].flatMap((name) => setAt.get(name) ?? []);
  };
}

/** A value that others can see: top-level, or written as a constant. */
function valueName(visible: string, indent: number): string | undefined {
  if (visible.startsWith('#')) return /^#\s*define\s+(\w+)/.exec(visible)?.[1];
  if (!visible.includes('=') && !visible.includes(':')) return undefined;
  const name = DECLARED.exec(visible)?.[1] ?? ASSIGNED.exec(visible)?.[1];
  return name !== undefined && (indent === 0 || name === name.toUpperCase()) ? name : undefined;
}
