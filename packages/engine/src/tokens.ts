import { estimateTokens, type TokenCounter } from './estimate.ts';

export type { TokenCount, TokenCounter } from './estimate.ts';

/** Longer texts are estimated: counting them exactly would take longer than pruning them. */
const EXACT_LENGTH = 256 * 1024;

/** Byte-pair merging is quadratic in a run without a boundary, such as 50,000 times "a": no piece is longer than this. */
const SLICE_LENGTH = 512;

/** Where a run is cut: digits are counted by threes, repeated characters by powers of two up to 128. */
const RUN_LENGTH = 3 * 128;

/** How many merges of rare words are remembered: without any, French takes five times as long. */
const REMEMBERED_MERGES = 10_000;

/** How many pieces of text are remembered with their count, and how long one may be. */
const REMEMBERED_PIECES = 20_000;
const LONGEST_REMEMBERED = 32;

/** The same for lines: what is counted once in a text is counted again in what stays of it. */
const REMEMBERED_LINES = 4000;
const LONGEST_LINE = 400;

const TAB = 9;
const SPACE = 32;
const APOSTROPHE = 39;
const SLASH = 47;

/** Loads the vocabulary (some megabytes, so only when somebody counts) and returns a counter that never throws. */
export async function loadTokenCounter(): Promise<TokenCounter> {
  const { countTokens, setMergeCacheSize } = await import('gpt-tokenizer/encoding/o200k_base');
  setMergeCacheSize(REMEMBERED_MERGES);
  // Text is never a control token, whatever it spells: without this, "<|endoftext|>" would throw.
  const asText = { disallowedSpecial: new Set<string>() };
  const countPiece = remembering((piece) => countTokens(piece, asText), REMEMBERED_PIECES, LONGEST_REMEMBERED);
  const countLine = remembering((line) => sumOf(line, pieceEnd, countPiece), REMEMBERED_LINES, LONGEST_LINE);
  return (text) =>
    text.length > EXACT_LENGTH
      ? { tokens: estimateTokens(text), method: 'estimate' }
      : { tokens: sumOf(text, lineEnd, countLine), method: 'o200k' };
}

let shared: Promise<TokenCounter> | undefined;

/** The same counter for all of a process: the vocabulary is loaded when the first result comes near its budget. */
export function sharedTokenCounter(): Promise<TokenCounter> {
  shared ??= loadTokenCounter();
  return shared;
}

/** The counts of the parts of a text, cut where `endOf` says. */
function sumOf(text: string, endOf: (text: string, start: number) => number, count: (part: string) => number): number {
  let tokens = 0;
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start);
    tokens += count(text.slice(start, end));
    start = end;
  }
  return tokens;
}

/** The same words and lines come again and again, and looking one up is many times faster than merging it. */
function remembering(count: (part: string) => number, most: number, longest: number): (part: string) => number {
  const known = new Map<string, number>();
  return (part) => {
    if (part.length > longest) return count(part);
    const found = known.get(part);
    if (found !== undefined) return found;
    const own = copy(part);
    const tokens = count(own);
    if (known.size >= most) known.clear();
    known.set(own, tokens);
    return tokens;
  };
}

/** What is remembered keeps the string alive that it was cut from: that must not be a whole text. */
function copy(slice: string): string {
  return ` ${slice}`.slice(1);
}

/** Past the next line end after which a line begins that says something: blank ones belong to the line end before them. */
function lineEnd(text: string, start: number): number {
  for (let at = text.indexOf('\n', start); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (beginsAnew(text, at + 1)) return at + 1;
  }
  return text.length;
}

/** Whether the vocabulary's own splitting always divides before the line at `start`. A slash joins the line end before it. */
function beginsAnew(text: string, start: number): boolean {
  let at = start;
  while (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB) at += 1;
  const first = text.charCodeAt(at);
  return isVisible(first) && !(first === SLASH && at === start);
}

/** The next place where a cut leaves the count as it is, else as far as allowed. */
function pieceEnd(text: string, start: number): number {
  const limit = Math.min(start + SLICE_LENGTH, text.length);
  let before = text.charCodeAt(start);
  for (let at = start + 1; at < limit; at += 1) {
    const after = text.charCodeAt(at);
    if (isBoundary(before, after)) return at;
    before = after;
  }
  if (limit === text.length) return limit;
  const end = start + RUN_LENGTH;
  return isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
}

/**
 * Whether the vocabulary's own splitting always divides here: it never joins a visible character to a blank after it,
 * nor a word to punctuation or a line end after it, and parts words from digits and "camel" from "Case".
 */
function isBoundary(before: number, after: number): boolean {
  if (after === SPACE || after === TAB) return isVisible(before);
  if (isPunctuation(after) || isLineEnd(after)) return isDigit(before) || isLetter(before) || isCjk(before);
  if (isDigit(before)) return isLetter(after);
  return (isLetter(before) && isDigit(after)) || (isLower(before) && isUpper(after));
}

function isVisible(code: number): boolean {
  return (code > SPACE && code < 0x7f) || (code >= 0xc0 && code < 0x1680) || isCjk(code);
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isLetter(code: number): boolean {
  return isLower(code) || isUpper(code);
}

/** The apostrophe is left out: it may belong to the word before it. */
function isPunctuation(code: number): boolean {
  if (code > 0x7e) return code === 0x3001 || code === 0x3002 || code === 0xff0c;
  return code > SPACE && code !== APOSTROPHE && !isDigit(code) && !isLetter(code);
}

/** Kana, ideographs, Hangul. */
function isCjk(code: number): boolean {
  return (code >= 0x3041 && code <= 0x3096) || (code >= 0x4e00 && code <= 0x9fa5) || (code >= 0xac00 && code <= 0xd7a3);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
