import type { Lines } from '../split.ts';
import { type Kind, loose, type Structure } from './kind.ts';

/** A diff: a changed line needs its hunk's header, and that needs the lines that name the file. */
export const DIFF: Kind = { name: 'diff', source: 'code', recognises, structure };

function recognises(sample: readonly string[]): boolean {
  const said = sample.filter((line) => line !== '');
  const opens = said.slice(0, 40).some((line) => /^(?:diff |--- |Index: )/.test(line));
  if (!opens || !said.some((line) => HUNK.test(line))) return false;
  return (
    said.filter((line) =>
      /^[ +\\@-]|^(?:diff|index|new file|deleted file|similarity|rename|commit|Author|Date) ?/.test(line),
    ).length >=
    said.length * 0.8
  );
}

const HUNK = /^@@ -\d+(?:,\d+)? \+\d+/;

function structure(lines: Lines): Structure {
  const { joined, scopeEnd } = loose(lines.length);
  let file = -1;
  let hunk = -1;
  const close = (line: number): void => {
    if (hunk !== -1) scopeEnd[hunk] = line;
    hunk = -1;
  };
  for (let line = 0; line < lines.length; line += 1) {
    const start = lines.at(line).slice(0, 12);
    if (startsFile(start, lines, line, file !== -1 && hunk === -1)) {
      close(line);
      if (file !== -1) scopeEnd[file] = line;
      file = line;
    } else if (start.startsWith('@@ -')) {
      close(line);
      hunk = line;
    } else if (file !== -1 && hunk === -1) joined[line] = 1;
  }
  close(lines.length);
  if (file !== -1) scopeEnd[file] = lines.length;
  return { joined, scopeEnd };
}

/** `diff --git` opens a file; a plain `diff -u` has only `---` and `+++` before the first hunk (`naming`: still before it). */
function startsFile(start: string, lines: Lines, line: number, naming: boolean): boolean {
  if (start.startsWith('diff ')) return true;
  if (!start.startsWith('--- ') || naming) return false;
  return line + 1 < lines.length && lines.at(line + 1).startsWith('+++ ');
}
