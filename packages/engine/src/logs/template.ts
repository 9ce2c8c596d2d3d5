import { Lines, type TextList } from '../split.ts';

const LOOK_AT = 1000;

/** Lines grouped by template: the same line but for numbers, ids and times. */
export interface Templates {
  /** How often the line's template occurred before it. */
  readonly earlier: Uint32Array;
  /** How often it occurs in all. */
  readonly total: Uint32Array;
  /** A number that lines of one template share. */
  readonly key: Int32Array;
}

/** Protecting, judging and giving reasons all ask for the same text: it is looked through once. */
const known = new WeakMap<TextList, Templates>();

export function findTemplates(texts: TextList): Templates {
  const found = known.get(texts) ?? groupByTemplate(texts);
  known.set(texts, found);
  return found;
}

function groupByTemplate(texts: TextList): Templates {
  const earlier = new Uint32Array(texts.length);
  const total = new Uint32Array(texts.length);
  const key = new Int32Array(texts.length);
  const seen = new Map<number, number>();
  const hashAt = hashing(texts);
  for (let index = 0; index < texts.length; index += 1) {
    const hash = hashAt(index);
    key[index] = hash;
    earlier[index] = seen.get(hash) ?? 0;
    seen.set(hash, (earlier[index] ?? 0) + 1);
  }
  for (let index = 0; index < texts.length; index += 1) total[index] = seen.get(key[index] ?? 0) ?? 0;
  return { earlier, total, key };
}

/** Lines are hashed where they stand: cutting each out of its text costs more than hashing it. */
function hashing(texts: TextList): (index: number) => number {
  if (texts instanceof Lines) return (index) => templateHash(texts.text, texts.start(index), texts.contentEnd(index));
  return (index) => {
    const text = texts.at(index);
    return templateHash(text, 0, text.length);
  };
}

/** A word with a digit in it is a value, and so is white space of any length: both hash as one unit. */
function templateHash(text: string, start: number, end: number): number {
  const stop = Math.min(end, start + LOOK_AT);
  let hash = 0x811c9dc5;
  let before = hash;
  let hasDigit = false;
  for (let at = start; at < stop; at += 1) {
    const unit = text.charCodeAt(at);
    const kind = unit < 128 ? KINDS[unit] : WORD;
    if (kind === DIGIT) hasDigit = true;
    else if (kind === OTHER && hasDigit) {
      hash = mix(before, VALUE);
      hasDigit = false;
    }
    hash = mix(hash, unit);
    if (kind === OTHER) before = hash;
  }
  return hasDigit ? mix(before, VALUE) : hash;
}

const VALUE = 1;

function mix(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

const OTHER = 0;
const WORD = 1;
const DIGIT = 2;

/** What a character of ASCII is. */
const KINDS: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (/\d/.test(character)) return DIGIT;
  return /\w/.test(character) ? WORD : OTHER;
});
