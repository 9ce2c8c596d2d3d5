const K1 = 1.2;
const B = 0.75;

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'an the and or of to in on at by for from with as is are be been was were it its this that these those when if then than not no do ' +
    'does did so we you they he she can could should would will may might must have has had but which what where why how who there here ' +
    'also into out up about'
  ).split(' '),
);

/** Lower-case words without stop words and usual endings; identifiers are taken apart at `_` and at humps. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const piece of text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? []) {
    const word = piece.toLowerCase();
    if (word.length > 1 && !STOP_WORDS.has(word)) words.push(withoutEnding(word));
  }
  return words;
}

function withoutEnding(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith('ed')) return word.slice(0, -2);
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** Plain BM25 of every document against the goal. */
export function bm25(documents: readonly (readonly string[])[], goal: string): Float64Array {
  const wanted = [...new Set(wordsOf(goal))];
  const counts = documents.map((words) => countOf(words, wanted));
  const meanLength = documents.reduce((sum, words) => sum + words.length, 0) / Math.max(1, documents.length) || 1;
  const scores = new Float64Array(documents.length);
  for (const word of wanted) {
    const holders = counts.filter((count) => count.has(word)).length;
    const rarity = Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
    for (const [index, count] of counts.entries()) {
      const times = count.get(word);
      if (times === undefined) continue;
      const length = (documents[index]?.length ?? 0) / meanLength;
      scores[index] = (scores[index] ?? 0) + (rarity * times * (K1 + 1)) / (times + K1 * (1 - B + B * length));
    }
  }
  return scores;
}

function countOf(words: readonly string[], wanted: readonly string[]): Map<string, number> {
  const isWanted = new Set(wanted);
  const counts = new Map<string, number>();
  for (const word of words) if (isWanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
