/** A function with its documentation; all places are 0-based line indexes, ends exclusive. */
export interface DocumentedFunction {
  readonly name: string;
  /** The documentation's words, markers taken off, one entry per line. */
  readonly doc: readonly string[];
  readonly docStart: number;
  readonly docEnd: number;
  readonly start: number;
  readonly end: number;
}

interface Comment {
  readonly start: number;
  readonly end: number;
  readonly words: readonly string[];
}

interface Dialect {
  /** Which comments document what follows them. */
  readonly comments: 'block' | 'slashes' | 'rust' | 'hash';
  /** Opening line of a function; the first group that matched is its name. */
  readonly header: RegExp;
  /** Lines that may stand between documentation and header. */
  readonly between?: RegExp;
}

const MAX_HEADER = 14;
const NOT_A_FUNCTION =
  /^\s*(if|else|for|while|switch|return|catch|do|new|typedef|struct|enum|union|class|interface|throw|case)\b/;
const SCRIPT_HEADER =
  /^\s*(?:export\s+)?(?:default\s+)?(?:(?:public|private|protected|static|async|override|get|set)\s+)*(?:function\s*\*?\s*([\w$]+)|(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\(|[\w$]+\s*=>)|([\w$]+)\s*(?:<[^>(]*>)?\s*\(|[\w$.]+\.([\w$]+)\s*=\s*(?:async\s+)?function\b)/;
const SCRIPT: Dialect = { comments: 'block', header: SCRIPT_HEADER, between: /^\s*@\w/ };
const C_FAMILY: Dialect = {
  comments: 'block',
  header: /^\s*(?:[A-Za-z_][\w:<>,*&~\s[\]]*?[\s*&])?([A-Za-z_~][\w:~]*)\s*\(/,
};

const DIALECTS: Readonly<Record<string, Dialect>> = {
  js: SCRIPT,
  ts: SCRIPT,
  tsx: SCRIPT,
  java: {
    comments: 'block',
    header:
      /^\s*(?:(?:public|private|protected|static|final|abstract|synchronized|default|native)\s+)*(?:<[^>]+>+\s+)?(?:[\w.$]+(?:<[^()]*>)?(?:\[\])*\s+)?([\w$]+)\s*\(/,
    between: /^\s*@\w/,
  },
  c: C_FAMILY,
  h: C_FAMILY,
  cc: C_FAMILY,
  cpp: C_FAMILY,
  go: { comments: 'slashes', header: /^func\s+(?:\([^)]*\)\s*)?(\w+)/ },
  rs: {
    comments: 'rust',
    header: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|async|unsafe|extern(?:\s+"C")?)\s+)*fn\s+(\w+)/,
    between: /^\s*#\[/,
  },
  rb: { comments: 'hash', header: /^\s*def\s+(?:self\.)?([\w?!=]+)/ },
};

/** The documented functions of a file, found by their shape; what does not look well formed is left out. */
export function documentedFunctions(lines: readonly string[], extension: string): DocumentedFunction[] {
  if (extension === 'py') return pythonFunctions(lines);
  const dialect = DIALECTS[extension];
  if (dialect === undefined) return [];
  const found: DocumentedFunction[] = [];
  for (const comment of commentsOf(lines, dialect.comments)) {
    let start = comment.end;
    while (dialect.between?.test(lines[start] ?? '') === true) start += 1;
    const header = lines[start] ?? '';
    if (NOT_A_FUNCTION.test(header)) continue;
    const match = dialect.header.exec(header);
    const name = match?.slice(1).find((group) => group !== undefined);
    const end = dialect.comments === 'hash' ? endOfRuby(lines, start) : endOfBraces(lines, start);
    if (name === undefined || end === undefined) continue;
    found.push({ name, doc: comment.words, docStart: comment.start, docEnd: comment.end, start, end });
  }
  return found;
}

function commentsOf(lines: readonly string[], style: Dialect['comments']): Comment[] {
  if (style === 'block') return blockComments(lines);
  const marker = { slashes: /^\s*\/\/(?!go:)/, rust: /^\s*\/\/\/(?!\/)/, hash: /^\s*#(?!!)/ }[style];
  const comments: Comment[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    if (!marker.test(lines[at] ?? '')) continue;
    const start = at;
    while (at < lines.length && marker.test(lines[at] ?? '')) at += 1;
    const words = lines.slice(start, at).map((line) => line.replace(/^\s*(\/\/\/?|#+)\s?/, ''));
    comments.push({ start, end: at, words });
  }
  return comments;
}

function blockComments(lines: readonly string[]): Comment[] {
  const comments: Comment[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    if (!/^\s*\/\*/.test(lines[at] ?? '')) continue;
    const start = at;
    while (at < lines.length && !(lines[at] ?? '').includes('*/')) at += 1;
    // Code behind the closing mark would go away with the comment.
    if (!(lines[at] ?? '').trimEnd().endsWith('*/')) continue;
    const words = lines.slice(start, at + 1).map((line) =>
      line
        .replace(/^\s*\/\*+!?/, '')
        .replace(/\*+\/\s*$/, '')
        .replace(/^\s*\*+\s?/, '')
        .trim(),
    );
    comments.push({ start, end: at + 1, words });
  }
  return comments;
}

/** Formatted code closes a body at the header's own indentation; that is more robust than counting braces. */
function endOfBraces(lines: readonly string[], start: number): number | undefined {
  const indent = indentOf(lines[start] ?? '');
  let open = start;
  for (; open < Math.min(lines.length, start + MAX_HEADER); open += 1) {
    const line = (lines[open] ?? '').trimEnd();
    if (line.endsWith('{')) break;
    if (line.endsWith(';') || line.trim() === '' || (open > start && line.includes('/*'))) return undefined;
    if (line.includes('{') && line.endsWith('}')) return open + 1;
  }
  if (open === Math.min(lines.length, start + MAX_HEADER)) return undefined;
  for (let at = open + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || indentOf(line) > indent || /^\s*(#|\w+:\s*$)/.test(line)) continue;
    return line.trim().startsWith('}') ? at + 1 : undefined;
  }
  return undefined;
}

function endOfRuby(lines: readonly string[], start: number): number | undefined {
  const indent = indentOf(lines[start] ?? '');
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || indentOf(line) > indent) continue;
    return /^\s*end\b/.test(line) ? at + 1 : undefined;
  }
  return undefined;
}

function pythonFunctions(lines: readonly string[]): DocumentedFunction[] {
  const found: DocumentedFunction[] = [];
  for (let start = 0; start < lines.length; start += 1) {
    const name = /^\s*(?:async\s+)?def\s+(\w+)\s*\(/.exec(lines[start] ?? '')?.[1];
    if (name === undefined) continue;
    let docStart = start;
    while (docStart < start + MAX_HEADER && !/:\s*(#.*)?$/.test(lines[docStart] ?? '')) docStart += 1;
    docStart += 1;
    const quote = /^\s*[rRuU]?("""|''')/.exec(lines[docStart] ?? '')?.[1];
    if (quote === undefined) continue;
    const docEnd = endOfDocstring(lines, docStart, quote);
    const end = endOfIndent(lines, start);
    if (docEnd === undefined || docEnd >= end) continue;
    const doc = lines.slice(docStart, docEnd).map((line) =>
      line
        .replace(/^\s*[rRuU]?("""|''')/, '')
        .replaceAll(quote, '')
        .trim(),
    );
    found.push({ name, doc, docStart, docEnd, start, end });
  }
  return found;
}

function endOfDocstring(lines: readonly string[], start: number, quote: string): number | undefined {
  const opening = lines[start] ?? '';
  if (opening.indexOf(quote, opening.indexOf(quote) + 3) !== -1)
    return opening.trimEnd().endsWith(quote) ? start + 1 : undefined;
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.includes(quote)) return line.trimEnd().endsWith(quote) ? at + 1 : undefined;
  }
  return undefined;
}

function endOfIndent(lines: readonly string[], start: number): number {
  const indent = indentOf(lines[start] ?? '');
  let end = start + 1;
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    // The closing bracket of a header that spans lines stands at the header's indentation.
    if (indentOf(line) <= indent && !/^\s*\)/.test(line)) break;
    end = at + 1;
  }
  return end;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
