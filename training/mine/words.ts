const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'the and for with from into that this these those when where which what who how why are was were been being has have had does did not ' +
    'but can could should would will may might must its it is in on of to as at by an or if so be do we you they our your their there here ' +
    'also all any some more most other such only own same than too very just now then them out off over under again once no nor ' +
    'use uses used using add adds added adding fix fixes fixed fixing remove removes removed make makes made change changes changed update updates ' +
    'updated improve improved refactor cleanup clean new old some minor small misc stuff code allow get set support bug issue'
  ).split(' '),
);

/** Distinct words that say something: three letters or more, no stop word, no plain verb of change. */
export function informativeWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z][a-z0-9_]{2,}/g) ?? [];
  return new Set(words.filter((word) => !STOP_WORDS.has(word)));
}
