import { hashOfStem } from '../../terms/scanner.ts';
import { scanGoal, type TermTable } from '../../terms/terms.ts';
import { relatedStems } from './concepts.ts';
import { STOP_WORDS } from './stop-words.ts';

const STOP_WEIGHT = 0.08;
const IDENTIFIER_WEIGHT = 1.5;
const RELATED_WEIGHT = 0.3;

/** A goal as weighted terms of one text's vocabulary. */
export interface GoalTerms {
  /** Place of a vocabulary term among the goal's terms, -1 for the others. */
  readonly placeOf: Int32Array;
  /** Weight of each goal term: how rare it is in the text, how much it says in the goal. */
  readonly weights: Float64Array;
  /** So many terms, the first ones, are the goal's own; the others mean about the same as one of them. */
  readonly own: number;
  /** Sum of the weights, the terms that the text does not have included. */
  readonly total: number;
  /** Share of `total` that occurs anywhere in the text: low when the goal is about something else. */
  readonly found: number;
  /** Number of terms that say something. */
  readonly spoken: number;
}

/** `related` takes in words that mean about the same as those of the goal. */
export function readGoal(goal: string, table: TermTable, { related }: { related: boolean }): GoalTerms {
  const { ids, words } = scanGoal(goal, table.vocabulary);
  const identifiers = identifierTerms(goal, table);
  const texts = table.starts.length - 1;
  const placeOf = new Int32Array(table.vocabulary.size).fill(-1);
  const weights: number[] = [];
  const missing = new Set<string>();
  let total = 0;
  let spoken = 0;
  for (const [at, word] of words.entries()) {
    const id = ids[at] ?? -1;
    if (id === -1 ? missing.has(word) : placeOf[id] !== -1) continue;
    const says = STOP_WORDS.has(word) ? STOP_WEIGHT : identifiers.has(word) ? IDENTIFIER_WEIGHT : 1;
    const weight = says * rarity(id === -1 ? 0 : (table.frequency[id] ?? 0), texts);
    total += weight;
    if (says >= 1) spoken += 1;
    if (id === -1) {
      missing.add(word);
      continue;
    }
    placeOf[id] = weights.length;
    weights.push(weight);
  }
  const present = weights.reduce((sum, weight) => sum + weight, 0);
  const found = total === 0 ? 0 : present / total;
  const own = weights.length;
  for (const id of related ? relatedTerms(words, table) : []) {
    if (placeOf[id] !== -1) continue;
    placeOf[id] = weights.length;
    weights.push(RELATED_WEIGHT * rarity(table.frequency[id] ?? 0, texts));
  }
  return { placeOf, weights: Float64Array.from(weights), own, total, found, spoken };
}

/** What the goal could have said instead: terms of the text that mean about the same as a word of the goal. */
function relatedTerms(words: readonly string[], table: TermTable): number[] {
  const spoken = [...new Set(words)].filter((word) => !STOP_WORDS.has(word));
  const stems = spoken.flatMap((word) => Array.from(relatedStems(word)));
  return stems.map((stem) => table.vocabulary.find(hashOfStem(stem))).filter((id) => id !== -1);
}

function rarity(frequency: number, texts: number): number {
  return Math.log(1 + (texts - frequency + 0.5) / (frequency + 0.5));
}

/** Terms of words that a person would only write when they mean the name in the code. */
function identifierTerms(goal: string, table: TermTable): Set<string> {
  const found = new Set<string>();
  for (const [name] of goal.matchAll(/`[^`\n]{1,80}`|[A-Za-z_$][\w$]*(?:[._:/-]{1,2}\w+)*/g)) {
    const quoted = name.startsWith('`');
    if (!quoted && !/[a-z0-9][A-Z]|_|\w[.:/]\w|^[A-Z]{2,}$/.test(name)) continue;
    for (const word of scanGoal(name, table.vocabulary).words) found.add(word);
  }
  return found;
}
