import { TermScanner } from '@jeeves/engine/terms';
import { aliases } from './lexicon-file.ts';

const MEMO_LIMIT = 50_000;
const memo = new Map<string, string>();
const ALIASES = aliases();

/**
 * What a word has in common with its other forms: `translating`, `translation`, `translator` → `transl`. A key to
 * compare by, not a word to read. Expects lower case.
 */
export function stemOf(word: string): string {
  const known = memo.get(word);
  if (known !== undefined) return known;
  const stem = shorten(ALIASES.get(word) ?? word);
  // Words come from upstreams: what they send must not stay for ever.
  if (memo.size >= MEMO_LIMIT) memo.clear();
  memo.set(word, stem);
  return stem;
}

/** What the engine makes of a word, once the endings are gone that turn a verb into the name of what it does. */
function shorten(word: string): string {
  if (word.length < 4 || word.length > 40 || !/^[a-z]+$/.test(word)) return word;
  const plural = word.replace(/(?<=[^sui])s$/, '');
  if (KEPT.has(word) || KEPT.has(plural)) return KEPT.has(plural) ? plural : word;
  for (const [ending, put, least] of ENDINGS) {
    if (!plural.endsWith(ending)) continue;
    const rest = plural.slice(0, plural.length - ending.length);
    if (rest.length >= least) return engineStem(rest + put);
  }
  return engineStem(word);
}

/** Ending, what takes its place, how much must remain. */
const ENDINGS: readonly (readonly [string, string, number])[] = [
  ['ification', 'ify', 3],
  ['ization', 'ize', 3],
  ['isation', 'ize', 3],
  ['ation', '', 4],
  ['ator', '', 4],
  ['ating', '', 4],
  ['ated', '', 4],
  ['ate', '', 4],
  ['ised', 'ize', 3],
  ['ising', 'ize', 3],
  ['ise', 'ize', 4],
  ['ion', '', 4],
  ['izer', 'ize', 3],
  ['or', '', 5],
  ['ness', '', 4],
];

let found = '';
const scanner = new TermScanner(4, (units, length) => {
  found = String.fromCharCode(...units.subarray(0, length));
});

/** The word is all letters, so the engine takes it for one term. */
function engineStem(word: string): string {
  scanner.count = 0;
  scanner.scan(word, 0, word.length);
  return found;
}

/** Words whose ending is a part of them. */
const KEPT: ReadonlySet<string> = new Set(
  (
    'customer number folder server member weather computer paper order user letter layer header parameter center ' +
    'container cluster router counter chapter register filter banner border buffer character partner quarter summer ' +
    'winter water power tower matter master december september october november whether another other together never ' +
    'over under after river dinner danger finger manner shoulder soccer transfer offer refer ' +
    'string thing nothing something everything anything during morning evening king ring spring sing bring wing ceiling ' +
    'need feed speed seed embed bed red hundred indeed exceed proceed shed sled ' +
    'option station nation region version million session mission passion fashion union opinion section question ' +
    'function position condition direction fraction religion action mention portion ' +
    'monitor vector color colour author factor sensor doctor motor mirror error minor major floor editor visitor ' +
    'family reply apply supply fly july daily weekly monthly yearly early only business witness ' +
    'news aws dns css sms gps rss ios macos https kubernetes always canvas atlas gas lens series species physics ads'
  ).split(' '),
);
