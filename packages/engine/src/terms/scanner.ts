import { CLASSES, DIGIT, FOLDS, IDEOGRAPH, JOINER, LOWER, OTHER, UPPER } from './fold.ts';
import { stemLength } from './stem.ts';

const MAX_PART = 48;
const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
// Shared by all scanners: a scan never starts within another, and a goal's names make a scanner each.
const PART: Uint16Array = new Uint16Array(MAX_PART);
const WHOLE: Uint16Array = new Uint16Array(MAX_PART);

/** Takes a term: the buffer that holds it, which is reused, and how much of it. */
export type TakeWord = (buffer: Uint16Array, length: number) => void;

/**
 * Splits text into terms and lists their hashes: identifiers are cut at case, digit and `_` boundaries, each part
 * stemmed. The whole identifier is a term too, so that `getUserName` meets both `user name` and `get_user_name`.
 * One pass, no string is made.
 */
export class TermScanner {
  /** How many terms were found so far. */
  count = 0;
  #hashes: Int32Array;
  readonly #take: TakeWord | undefined;

  /** `expected` terms fit before room must be made: growing leaves garbage as large as the list. */
  constructor(expected = 32, take?: TakeWord) {
    this.#hashes = new Int32Array(expected);
    this.#take = take;
  }

  /** The hashes of all terms so far, in order. */
  hashes(): Int32Array {
    return this.#hashes.subarray(0, this.count);
  }

  scan(text: string, start: number, end: number): void {
    let at = start;
    while (at < end) {
      const kind = CLASSES[text.charCodeAt(at)];
      if (kind === OTHER) at += 1;
      else if (kind === IDEOGRAPH) {
        PART[0] = text.charCodeAt(at);
        this.#add(PART, 1, hashOf(PART, 1));
        at += 1;
      } else at = this.#identifier(text, at, end);
    }
  }

  #identifier(text: string, start: number, end: number): number {
    let at = start;
    let parts = 0;
    let wholeLength = 0;
    let wholeHash = BASIS;
    while (at < end) {
      const kind = CLASSES[text.charCodeAt(at)] ?? OTHER;
      if (kind === OTHER || kind === IDEOGRAPH) break;
      if (kind === JOINER) {
        at += 1;
        continue;
      }
      const partStop = partEnd(text, at, end, kind);
      let length = 0;
      for (; at < partStop; at += 1) {
        const unit = FOLDS[text.charCodeAt(at)] ?? 0;
        if (length < MAX_PART) PART[length++] = unit;
        if (wholeLength === MAX_PART) continue;
        WHOLE[wholeLength++] = unit;
        wholeHash = Math.imul(wholeHash ^ unit, PRIME);
      }
      parts += 1;
      const stem = kind === DIGIT ? length : stemLength(PART, length);
      this.#add(PART, stem, hashOf(PART, stem));
    }
    if (parts > 1) this.#add(WHOLE, wholeLength, finish(wholeHash, wholeLength));
    return at;
  }

  #add(buffer: Uint16Array, length: number, hash: number): void {
    if (this.count === this.#hashes.length) {
      const grown = new Int32Array(this.#hashes.length * 2);
      grown.set(this.#hashes);
      this.#hashes = grown;
    }
    this.#hashes[this.count++] = hash;
    this.#take?.(buffer, length);
  }
}

/** Where the part that starts at `at` ends: `HTTPServer2` is `HTTP`, `Server`, `2`. */
function partEnd(text: string, start: number, end: number, kind: number): number {
  let at = start + 1;
  if (kind === DIGIT) {
    while (at < end && CLASSES[text.charCodeAt(at)] === DIGIT) at += 1;
    return at;
  }
  if (kind === UPPER) {
    while (at < end && CLASSES[text.charCodeAt(at)] === UPPER) at += 1;
    if (at - start > 1) return at < end && CLASSES[text.charCodeAt(at)] === LOWER ? at - 1 : at;
  }
  while (at < end && CLASSES[text.charCodeAt(at)] === LOWER) at += 1;
  return at;
}

/** FNV-1a over the units, with a final mix so that short words spread. */
function hashOf(buffer: Uint16Array, length: number): number {
  let hash = BASIS;
  for (let at = 0; at < length; at += 1) hash = Math.imul(hash ^ (buffer[at] ?? 0), PRIME);
  return finish(hash, length);
}

function finish(running: number, length: number): number {
  let hash = running ^ length;
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) | 0;
}

/** The hash under which a stem is known to a vocabulary. */
export function hashOfStem(stem: string): number {
  const units = Uint16Array.from(stem.slice(0, MAX_PART), (unit) => unit.charCodeAt(0));
  return hashOf(units, units.length);
}
