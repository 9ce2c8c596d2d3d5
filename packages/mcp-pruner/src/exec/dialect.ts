import { SearchError } from './engine.ts';

/**
 * Writes a pattern of ripgrep's in the words of `grep -E`, which reads `\d` as the letter d and a backslash between
 * brackets as a character like any other. What cannot be said there is refused: a search that silently looks for
 * something else is worse than none.
 */
export function toExtended(pattern: string): string {
  let written = '';
  let at = 0;
  while (at < pattern.length) {
    const [text, next] = nextPiece(pattern, at);
    written += text;
    at = next;
    // Whether a repetition is greedy decides where a match ends, never which line has one. To grep it would mean "or not".
    if (QUANTIFIER.test(text) && pattern[at] === '?') at += 1;
  }
  return written;
}

type Piece = readonly [text: string, next: number];

const QUANTIFIER = /^(?:[*+?]|\{\d*,?\d*\})$/;

function nextPiece(pattern: string, at: number): Piece {
  const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
  if (character === '\\') return escape(pattern, at);
  if (character === '[') return brackets(pattern, at);
  if (pattern.startsWith('(?:', at)) return ['(', at + 3];
  if (pattern.startsWith('(?', at)) throw unable(pattern.slice(at, at + 3));
  const repetition = character === '{' ? /^\{\d*,?\d*\}/.exec(pattern.slice(at))?.[0] : undefined;
  return repetition === undefined ? [character, at + character.length] : [repetition, at + repetition.length];
}

/** What stands between brackets for a class. */
const CLASSES: Readonly<Record<string, () => string>> = {
  d: digits,
  s: () => '[:space:]',
  w: () => '[:alnum:]_',
};
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', f: '\f', v: '\v', r: '\r' };
/** Mean the same to both: boundaries of words, and characters that would be operators without the backslash. */
const SHARED = /[bB<>.[\]{}()*+?^$|\\]/;

function escape(pattern: string, at: number): Piece {
  const letter = pattern[at + 1] ?? '';
  const next = at + 2;
  const members = Object.hasOwn(CLASSES, letter.toLowerCase()) ? CLASSES[letter.toLowerCase()] : undefined;
  if (members !== undefined) return [`[${letter === letter.toLowerCase() ? '' : '^'}${members()}]`, next];
  const control = CONTROLS[letter];
  if (control !== undefined) return [control, next];
  // A brace after it makes it another word than the boundary: `\b{start}`.
  if (SHARED.test(letter) && !(/[bB]/.test(letter) && pattern[next] === '{')) return [`\\${letter}`, next];
  if (letter === '' || /[\p{L}\p{N}]/u.test(letter)) throw unable(`\\${letter}`);
  return [letter, next];
}

/** A bracket has its own grammar: no escapes, `]` first, `-` last, `^` anywhere but first, `[` before nothing but these. */
function brackets(pattern: string, start: number): Piece {
  const negated = pattern[start + 1] === '^';
  const first = start + (negated ? 2 : 1);
  const found = { closing: '', members: '', caret: '', opening: '', hyphen: '' };
  let at = first;
  while (at === first || pattern[at] !== ']') {
    if (at >= pattern.length) throw unable('[ without ]');
    const [text, next] = member(pattern, at);
    if (text === ']') found.closing = text;
    else if (text === '[') found.opening = text;
    else if (text === '-') found.hyphen = text;
    else if (text === '^') found.caret = text;
    else found.members += text;
    at = next;
  }
  const { closing, members, caret, opening, hyphen } = found;
  // A caret alone is no set to grep.
  if (!negated && closing + members + opening + hyphen === '') return ['\\^', at + 1];
  return [`[${negated ? '^' : ''}${closing}${members}${caret}${opening}${hyphen}]`, at + 1];
}

/** One member of a bracket: a class, a range or a character. */
function member(pattern: string, at: number): Piece {
  const named = /^\[:\^?[a-z]+:\]/.exec(pattern.slice(at))?.[0];
  if (named?.includes('^') === false) return [named, at + named.length];
  const operator = /^(?:\[|&&|--|~~)/.exec(pattern.slice(at))?.[0];
  if (operator !== undefined) throw unable(`${operator} between brackets`);
  const [from, next] = character(pattern, at);
  if (from.length > 2 || pattern[next] !== '-' || pattern[next + 1] === ']') return [from, next];
  const [to, end] = character(pattern, next + 1);
  if (`${from}${to}`.includes(']') || `${from}${to}`.includes('\\')) throw unable(`${from}-${to} between brackets`);
  return [`${from}-${to}`, end];
}

function character(pattern: string, at: number): Piece {
  const plain = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
  if (plain !== '\\') return [plain, at + plain.length];
  const letter = pattern[at + 1] ?? '';
  const members = Object.hasOwn(CLASSES, letter) ? CLASSES[letter]?.() : CONTROLS[letter];
  if (members !== undefined) return [members, at + 2];
  if (letter === '' || /[\p{L}\p{N}]/u.test(letter)) throw unable(`\\${letter} between brackets`);
  return [letter, at + 2];
}

let allDigits: string | undefined;

/** The digits of every script: grep's own class has those of ASCII alone. */
function digits(): string {
  if (allDigits !== undefined) return allDigits;
  allDigits = '0-9';
  for (let code = 0x80; code < 0x20000; code += 1) {
    const character = String.fromCodePoint(code);
    if (/\p{Nd}/u.test(character)) allDigits += character;
  }
  return allDigits;
}

function unable(what: string): SearchError {
  const message = `there is no ripgrep here, and grep has no word for ${what}; install ripgrep or write the pattern without it`;
  return new SearchError('rg_error', message, 2);
}
