import { stemOf } from './stem.ts';

/** Longer texts say what they say at their beginning. */
const MAX_CHARS = 8192;

/**
 * The stems of a text in order. Identifiers are taken apart at case, digit and punctuation boundaries, so that
 * `createPullRequest`, `create_pull_request` and "creating pull requests" are the same three words.
 */
export function stemsOf(text: string): string[] {
  return wordsOf(text).map(stemOf);
}

/** The words of a text in lower case, without accents, identifiers taken apart. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  const cut = text.length > MAX_CHARS ? text.slice(0, MAX_CHARS) : text;
  const plain = cut.normalize('NFKD').replace(/\p{M}+/gu, '');
  for (const [piece] of plain.matchAll(PIECE)) words.push(piece.toLowerCase());
  return words;
}

// An acronym up to the word that follows it, a word with or without a capital, a number, a run of another script.
const PIECE = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\p{ASCII}\p{P}\p{S}\p{Z}\p{C}]+/gu;
