import { CONTROL, DEFINERS, MODIFIERS, TYPE_DEFINERS } from './keywords.ts';

const MAX_WORDS = 6;

/** Whether a line (without its indentation) opens a function, a type, a section or another named scope; `bodyBelow` is asked only when it matters. */
export function isDefinition(visible: string, bodyBelow: () => boolean): boolean {
  const first = visible.charCodeAt(0);
  if (first === 0x23) return isSignature(visible, bodyBelow);
  if (first === 0x40) return visible.startsWith('@@ ');
  if (first === 0x5b) return /^\[{1,2}[\w.:"' -]{1,80}\]{1,2}\s*$/.test(visible);
  if (first === 0x64 && visible.startsWith('diff --git ')) return true;
  if (/^create\s/i.test(visible)) return true;
  const words = leadingWords(visible);
  const keyword = words.find((word) => !MODIFIERS.has(word.toLowerCase()));
  if (keyword === undefined) return false;
  const lower = keyword.toLowerCase();
  if (DEFINERS.has(lower)) return opensDefinition(visible, keyword);
  if (TYPE_DEFINERS.has(lower)) return /^[\w\s]+[=<{]|^[\w\s]+\w$/.test(visible.slice(0, 80)) && words.length > 1;
  if (CONTROL.has(lower)) return false;
  return isArrow(visible, words) || isSignature(visible, bodyBelow);
}

/** The name that a definition line introduces. */
export function definitionName(visible: string): string | undefined {
  if (visible.startsWith('@@') || visible.startsWith('diff ')) return undefined;
  const open = visible.indexOf('(');
  const head = (open === -1 ? visible : visible.slice(0, open)).slice(0, 160);
  const words = head.match(/[A-Za-z_$][\w$]*/g) ?? [];
  const keywordAt = words.findIndex((word) => DEFINERS.has(word.toLowerCase()) || TYPE_DEFINERS.has(word));
  // After a keyword comes the name; `func (r *Repo) Find(` has it behind the receiver.
  if (keywordAt !== -1 && words[keywordAt + 1] !== undefined) return words[keywordAt + 1];
  if (visible.startsWith('func (')) return /^func \([^)]{0,80}\) ([\w$]+)/.exec(visible)?.[1];
  const assigned = /(?:const|let|var)\s+([\w$]+)\s*[:=]/.exec(head)?.[1];
  return assigned ?? words.at(-1);
}

function opensDefinition(visible: string, keyword: string): boolean {
  const after = visible.slice(visible.indexOf(keyword) + keyword.length);
  const next = after.charCodeAt(0);
  // `class: x`, `test = 1`, `index.html` are uses of the word.
  if (next === 0x28)
    return (
      keyword === 'describe' || keyword === 'it' || keyword === 'test' || keyword === 'func' || keyword === 'function'
    );
  if (next === 0x21) return true;
  return next === 0x20 || next === 0x3c || next === 0x2a || Number.isNaN(next)
    ? !/^\s*(?:[=:.,;)]|in\b)/.test(after)
    : next === 0x3a && keyword === 'class';
}

/** `const save = async (order) => {` and its kind. */
function isArrow(visible: string, words: readonly string[]): boolean {
  const opener = words[0] === 'export' ? words[1] : words[0];
  if (opener !== 'const' && opener !== 'let' && opener !== 'var') return false;
  return visible.includes('=>') || visible.includes('= function');
}

/** `int main(void) {`, `save(order) {`, `#opened(event) {`, `public void run()` with its brace below. */
export function isSignature(visible: string, bodyBelow: () => boolean): boolean {
  const tail = visible.trimEnd();
  const last = tail.charCodeAt(tail.length - 1);
  if (last !== OPEN_BRACE && last !== CLOSE_PAREN && last !== COMMA && last !== OPEN_PAREN) return false;
  const open = visible.indexOf('(');
  if (open <= 0 || open > 120) return false;
  const head = visible.slice(0, open).trimEnd();
  if (/[=."'!]/.test(head) || !/[\w$>\]~]$/.test(head)) return false;
  // `run(a, {` passes an object; `run(a) {` opens a body.
  if (last === OPEN_BRACE) return tail.lastIndexOf(')') > open && !/[,([]\s*\{$/.test(tail.slice(-40));
  if (last === CLOSE_PAREN) return bodyBelow();
  // A parameter list that goes on below, at the start of a line: C, C++, Java.
  return head.includes(' ') && /^[\w$<>*&:,\s]+\s[*&]*[\w$:~]+$/.test(head);
}

const OPEN_PAREN = 0x28;
const CLOSE_PAREN = 0x29;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;

function leadingWords(visible: string): string[] {
  const words: string[] = [];
  let at = 0;
  while (at < visible.length && words.length < MAX_WORDS) {
    const start = at;
    while (at < visible.length && isWordUnit(visible.charCodeAt(at))) at += 1;
    if (at === start) break;
    words.push(visible.slice(start, at));
    // `pub(crate) fn` keeps its modifier.
    if (visible.startsWith('(crate)', at)) at += 7;
    while (visible.charCodeAt(at) === 32) at += 1;
  }
  return words;
}

export function isWordUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 48 && unit <= 57) ||
    unit === 95 ||
    unit === 36
  );
}
