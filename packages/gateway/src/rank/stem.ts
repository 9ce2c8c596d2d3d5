import { ALIASES } from './lexicon/aliases.ts';

const MEMO_LIMIT = 50_000;
const memo = new Map<string, string>();

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

function shorten(word: string): string {
  if (word.length < 4 || word.length > 40 || !/^[a-z]+$/.test(word)) return word;
  const base = singular(word);
  for (const [ending, put, least] of ENDINGS) {
    if (!base.endsWith(ending)) continue;
    const rest = base.slice(0, base.length - ending.length);
    if (rest.length < least || KEPT.has(base)) continue;
    return settle(put === undefined ? undoubled(rest) : rest + put);
  }
  return settle(base);
}

/** Ending, what takes its place (nothing: a doubled consonant before it is undone), how much must remain. */
const ENDINGS: readonly (readonly [string, string | undefined, number])[] = [
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
  ['ing', undefined, 3],
  ['ied', 'y', 2],
  ['ed', undefined, 3],
  ['izer', 'ize', 3],
  ['er', undefined, 4],
  ['or', '', 5],
  ['ly', '', 4],
  ['ness', '', 4],
];

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
    'family reply apply supply fly july daily weekly monthly yearly early only business witness'
  ).split(' '),
);

/** Words that end in `s` and are not many. */
const ALWAYS_S: ReadonlySet<string> = new Set(
  'news aws dns css sms gps rss ios macos https kubernetes always canvas atlas gas lens series species physics ads'.split(
    ' ',
  ),
);

function singular(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word) || ALWAYS_S.has(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** `running` → `run`, but `calling` → `call`. */
function undoubled(rest: string): string {
  const last = rest.at(-1) ?? '';
  return rest.length > 3 && last === rest.at(-2) && !'lsz'.includes(last) ? rest.slice(0, -1) : rest;
}

/** A silent `e`, and `y` against `i`. */
function settle(word: string): string {
  if (word.length > 3 && word.endsWith('e')) return word.slice(0, -1);
  return word.length > 3 && word.endsWith('y') ? `${word.slice(0, -1)}i` : word;
}
