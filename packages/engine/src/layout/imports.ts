import type { TextList } from '../split.ts';
import { IMPORTERS } from './keywords.ts';

const MAX_IMPORT_LINES = 80;

/** Whether a line (without its indentation) brings names in from elsewhere. */
export function isImport(visible: string): boolean {
  const first = visible.charCodeAt(0);
  if (first === 0x23) return /^#\s*(?:include|import)\b/.test(visible);
  if (first === 0x40) return visible.startsWith('@import');
  if (/^(?:const|let|var|local)\s/.test(visible))
    return /=\s*(?:await\s+import|require)\s*\(/.test(visible.slice(0, 200));
  const word = /^[a-z_]+/.exec(visible)?.[0];
  if (word === undefined) return visible.startsWith('FROM ') || visible.startsWith('extern crate ');
  if (word === 'export') return /^export\s+(?:\*|\{|type\s*\{)/.test(visible);
  if (word === 'pub') return /^pub(?:\(crate\))?\s+use\s/.test(visible);
  if (word === 'extern') return visible.startsWith('extern crate ');
  if (!IMPORTERS.has(word)) return false;
  return word === 'from' ? isPythonFrom(visible) : isImportTail(visible.slice(word.length), word);
}

/** One past the last line of the import statement that starts at `index`. */
export function importExtent(texts: TextList, index: number): number {
  const limit = Math.min(texts.length, index + MAX_IMPORT_LINES);
  let depth = 0;
  for (let at = index; at < limit; at += 1) {
    depth += bracketBalance(texts.at(at));
    if (depth <= 0) return at + 1;
  }
  // No end in sight: it is something else, so only its first line counts.
  return index + 1;
}

function isPythonFrom(visible: string): boolean {
  const at = visible.indexOf(' import');
  return at > 5 && at < 120 && !visible.slice(5, at).includes(' ');
}

function isImportTail(tail: string, word: string): boolean {
  const next = tail.charCodeAt(0);
  if (word === 'import' && next === 0x28) return false;
  if (word === 'require' || word === 'include' || word === 'load' || word === 'source') {
    return next === 0x28 || /^\s+["'.<\w/]/.test(tail) ? !tail.includes(' = ') && tail.length < 160 : false;
  }
  return next === 0x20 && /^\s+[\w"'{*(<:@.]/.test(tail);
}

function bracketBalance(line: string): number {
  let balance = 0;
  const end = Math.min(line.length, 400);
  for (let at = 0; at < end; at += 1) {
    const unit = line.charCodeAt(at);
    if (unit === 0x7b || unit === 0x28) balance += 1;
    else if (unit === 0x7d || unit === 0x29) balance -= 1;
  }
  return balance;
}
