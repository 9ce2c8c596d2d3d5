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

/** How many whole texts are, which come again when they are pruned again. */
const REMEMBERED_TEXTS = 16;
const LONGEST_TEXT = 64 * 1024;

const TAB = 9;
const SPACE = 32;
const APOSTROPHE = 39;

/** Loads the vocabulary (some megabytes, so only when somebody counts) and returns a counter that never throws. */
export async function loadTokenCounter(): Promise<TokenCounter> {
  const { countTokens, setMergeCacheSize } = await import('gpt-tokenizer/encoding/o200k_base');
  setMergeCacheSize(REMEMBERED_MERGES);
  // Text is never a control token, whatever it spells: without this, "<|endoftext|>" would throw.
  const asText = { disallowedSpecial: new Set<string>() };
  const countPiece = remembering((piece) => countTokens(piece, asText));
  const countText = rememberingTexts((text) => {
    let tokens = 0;
    for (let start = 0; start < text.length; ) {
      const end = pieceEnd(text, start);
      tokens += countPiece(text.slice(start, end));
      start = end;
    }
    return tokens;
  });
  return (text) =>
    text.length > EXACT_LENGTH
      ? { tokens: estimateTokens(text), method: 'estimate' }
      : { tokens: countText(text), method: 'o200k' };
}

function rememberingTexts(count: (text: string) => number): (text: string) => number {
  const known: { readonly text: string; readonly tokens: number }[] = [];
  return (text) => {
    const found = known.find((one) => one.text === text);
    if (found !== undefined) return found.tokens;
    const tokens = count(text);
    if (text.length > LONGEST_TEXT) return tokens;
    if (known.length === REMEMBERED_TEXTS) known.pop();
    known.unshift({ text, tokens });
    return tokens;
  };
}

/** The same words come again and again, and looking one up is many times faster than merging it. */
function remembering(count: (piece: string) => number): (piece: string) => number {
  const known = new Map<string, number>();
  return (piece) => {
    const found = known.get(piece);
    if (found !== undefined) return found;
    const own = copy(piece);
    const tokens = count(own);
    if (known.size >= REMEMBERED_PIECES) known.clear();
    if (own.length <= LONGEST_REMEMBERED) known.set(own, tokens);
    return tokens;
  };
}

/** A remembered word keeps the string alive that it was cut from: that must be a piece, not a whole text. */
function copy(slice: string): string {
  return ` ${slice}`.slice(1);
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
