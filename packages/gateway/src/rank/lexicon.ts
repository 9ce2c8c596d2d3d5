import { ACTIONS } from './lexicon/actions.ts';
import { EVERYDAY } from './lexicon/everyday.ts';
import { KNOWLEDGE } from './lexicon/knowledge.ts';
import { MONEY } from './lexicon/money.ts';
import { OFFICE } from './lexicon/office.ts';
import { SOFTWARE } from './lexicon/software.ts';
import { TRADES } from './lexicon/trades.ts';
import { WEB } from './lexicon/web.ts';
import { WORLD } from './lexicon/world.ts';
import { stemOf } from './stem.ts';

/** How much a related word counts beside the word that was said. */
const SAME = 0.6;
const IMPLIED = 0.45;

const NONE: ReadonlyMap<string, number> = new Map();
let lexicon: ReadonlyMap<string, ReadonlyMap<string, number>> | undefined;

/** Stems that a tool may use where a goal says `stem`, with how much each counts. */
export function relatedTo(stem: string): ReadonlyMap<string, number> {
  lexicon ??= readLexicon([ACTIONS, SOFTWARE, WEB, OFFICE, WORLD, MONEY, KNOWLEDGE, EVERYDAY, TRADES]);
  return lexicon.get(stem) ?? NONE;
}

function readLexicon(texts: readonly string[]): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>();
  for (const line of texts.join('\n').split('\n')) {
    if (line === '') continue;
    const [left = '', right] = line.split(' > ');
    const heads = left.split(' ').map(stemOf);
    const others = right === undefined ? heads : right.split(' ').map(stemOf);
    for (const head of heads) relate(found, head, others, right === undefined ? SAME : IMPLIED);
  }
  return found;
}

function relate(
  found: Map<string, Map<string, number>>,
  head: string,
  others: readonly string[],
  weight: number,
): void {
  const related = found.get(head) ?? new Map<string, number>();
  found.set(head, related);
  for (const other of others) {
    if (other !== head) related.set(other, Math.max(weight, related.get(other) ?? 0));
  }
}
