import { PHRASES } from './lexicon/phrases.ts';
import { SAYINGS } from './lexicon/sayings.ts';

const LONGEST = 6;
let phrases: ReadonlyMap<string, readonly string[]> | undefined;

/** Puts the words that tools use in place of phrases that mean something else than their words; the longest phrase wins. */
export function rephrase(words: readonly string[]): string[] {
  phrases ??= readPhrases(PHRASES + SAYINGS);
  const said: string[] = [];
  for (let at = 0; at < words.length; ) {
    const length = longestAt(words, at, phrases);
    if (length === 0) {
      said.push(words[at] ?? '');
      at += 1;
    } else {
      said.push(...(phrases.get(words.slice(at, at + length).join(' ')) ?? []));
      at += length;
    }
  }
  return said;
}

function longestAt(words: readonly string[], at: number, known: ReadonlyMap<string, readonly string[]>): number {
  for (let length = Math.min(LONGEST, words.length - at); length > 1; length -= 1) {
    if (known.has(words.slice(at, at + length).join(' '))) return length;
  }
  return 0;
}

function readPhrases(text: string): ReadonlyMap<string, readonly string[]> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [phrase = '', words = ''] = line.split(' = ');
      return [phrase, words.split(' ')];
    }),
  );
}
