import { STOP_WORDS, TermScanner } from '@jeeves/engine/terms';

/** A segment is found by its beginning: a text of megabytes is data, and its index would outgrow it. */
const MAX_SCANNED = 131_072;
const MAX_WORDS = 4096;
/** A search by a whole text looks for its longest words: they are the rarest. */
const MAX_SOUGHT = 10;

/** The distinct words of a text, folded and stemmed alike in every store, so that all of them find the same. */
export function wordsOf(text: string, most: number = MAX_WORDS): string[] {
  const words = new Set<string>();
  const scanner = new TermScanner(32, (buffer, length) => {
    if (words.size < most) words.add(String.fromCharCode(...buffer.subarray(0, length)));
  });
  scanner.scan(text, 0, Math.min(text.length, MAX_SCANNED));
  return [...words];
}

/** What to look for: words that say something, single letters and digits not among them, or, where none does, all. */
export function soughtWords(text: string): string[] {
  const words = wordsOf(text);
  const telling = words.filter((word) => word.length > 1 && !STOP_WORDS.has(word));
  return (telling.length > 0 ? telling : words).sort((a, b) => b.length - a.length).slice(0, MAX_SOUGHT);
}

/** How much a word says when `frequency` of `segments` have it. Always more than 0. */
export function rarity(frequency: number, segments: number): number {
  return Math.log(1 + (Math.max(segments, frequency) + 0.5) / (frequency + 0.5));
}
