import type { TextList } from '../split.ts';

/** One past the last line of each fenced code block, at the block's first line; 0 elsewhere. */
export function fenceExtents(texts: TextList): Uint32Array {
  const extents = new Uint32Array(texts.length);
  let open = -1;
  let fence = '';
  for (let index = 0; index < texts.length; index += 1) {
    const mark = fenceMark(texts.at(index));
    if (mark === undefined) continue;
    if (open === -1) {
      open = index;
      fence = mark;
    } else if (closes(texts.at(index), fence)) {
      extents[open] = index + 1;
      open = -1;
    }
  }
  // As in Markdown itself, an unclosed fence runs to the end.
  if (open !== -1) extents[open] = texts.length;
  return extents;
}

/** Level of the heading that each line is: 1 is the highest, 0 is no heading. Lines inside fences are none. */
export function headingLevels(texts: TextList): Uint8Array {
  const levels = new Uint8Array(texts.length);
  const fences = fenceExtents(texts);
  for (let index = 0; index < texts.length; index += 1) {
    const fenceEnd = fences[index] ?? 0;
    if (fenceEnd > 0) {
      index = fenceEnd - 1;
      continue;
    }
    const line = texts.at(index).slice(0, 200);
    const level = markedLevel(line);
    if (level > 0) levels[index] = level;
    else if (index > 0 && levels[index - 1] === 0) underline(texts, levels, index);
  }
  return levels;
}

/** `# Title` of Markdown and `= Title` of AsciiDoc. */
function markedLevel(line: string): number {
  const mark = line.charCodeAt(0);
  if (mark !== 0x23 && mark !== 0x3d) return 0;
  let count = 1;
  while (line.charCodeAt(count) === mark) count += 1;
  return count <= 6 && line.charCodeAt(count) === 0x20 && line.length > count + 1 ? count : 0;
}

/** A line of `===` or `---` under a short text makes that text a heading, and belongs to it. */
function underline(texts: TextList, levels: Uint8Array, index: number): void {
  const line = texts.at(index).slice(0, 200).trimEnd();
  if (line.length < 3 || !/^(?:=+|-+|~+|\^+)$/.test(line)) return;
  const title = texts
    .at(index - 1)
    .slice(0, 200)
    .trim();
  const looksLikeTitle =
    title.length > 0 && title.length <= 120 && /^[\p{L}\p{N}`"'([]/u.test(title) && !title.includes('|');
  if (!looksLikeTitle || Math.abs(title.length - line.length) > Math.max(8, title.length)) return;
  const level = line.startsWith('=') ? 1 : 2;
  levels[index - 1] = level;
  levels[index] = level;
}

function fenceMark(line: string): string | undefined {
  const visible = line.slice(0, 160).trimStart();
  const mark = visible[0];
  if (mark !== '`' && mark !== '~') return undefined;
  let count = 1;
  while (visible[count] === mark) count += 1;
  if (count < 3) return undefined;
  // A backtick fence with a backtick behind it is inline code.
  return mark === '`' && visible.includes('`', count) ? undefined : mark.repeat(count);
}

function closes(line: string, fence: string): boolean {
  const visible = line.slice(0, 160).trim();
  return visible.startsWith(fence) && visible.split(fence[0] ?? '').join('') === '';
}
