import { related } from './lexicon-file.ts';
import { stemOf } from './stem.ts';

/** How much a related word counts beside the word that was said. */
const SAME = 0.6;
const IMPLIED = 0.45;

const NONE: ReadonlyMap<string, number> = new Map();
let lexicon: ReadonlyMap<string, ReadonlyMap<string, number>> | undefined;

/** Stems that a tool may use where a goal says `stem`, with how much each counts. */
export function relatedTo(stem: string): ReadonlyMap<string, number> {
  lexicon ??= readLexicon();
  return lexicon.get(stem) ?? NONE;
}

function readLexicon(): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>();
  for (const { heads, others } of related()) {
    const weight = others === undefined ? SAME : IMPLIED;
    const stems = (others ?? heads).map(stemOf);
    for (const head of heads.map(stemOf)) relate(found, head, stems, weight);
  }
  return found;
}

function relate(
  found: Map<string, Map<string, number>>,
  head: string,
  others: readonly string[],
  weight: number,
): void {
  const known = found.get(head) ?? new Map<string, number>();
  found.set(head, known);
  for (const other of others) {
    if (other !== head) known.set(other, Math.max(weight, known.get(other) ?? 0));
  }
}
