import { type Action, actionOf, asksForMany, contradict, wantedAction } from './action.ts';
import { type CatalogueIndex, FORM_LENGTH } from './catalogue-index.ts';
import { type Concept, conceptsOf } from './goal.ts';
import { relatedTo } from './lexicon.ts';
import type { RankSettings } from './settings.ts';
import { wordsOf } from './words.ts';

export interface Scores {
  /** Of every tool, 0..1 or a little above; nothing in common is 0. */
  readonly scores: Float64Array;
  /** How much of the goal the best tool speaks of; words that no tool has count as not spoken of. */
  readonly fit: number;
}

/** Scores every tool of a catalogue against a goal. */
export function scoreTools(index: CatalogueIndex, goal: string, settings: RankSettings): Scores {
  const concepts = conceptsOf(goal);
  const scores = new Float64Array(index.size);
  const servers = new Float64Array(index.serverSizes.length);
  const best = new Float64Array(index.size);
  const said = new Map<string, number>();
  let total = 0;
  let whole = 0;
  let top = 0;
  for (const concept of concepts) {
    const { rarity, touched } = matchConcept(index, concept, settings, best);
    const weight = concept.weight * (actionOf(concept.stem) === undefined ? 1 : settings.actionWord);
    total += rarity * weight;
    whole += (touched.length === 0 ? rarityOf(0, index.size) : rarity) * weight;
    for (const tool of touched) {
      const match = (best[tool] ?? 0) * weight;
      scores[tool] = (scores[tool] ?? 0) + match;
      const server = index.serverOf[tool] ?? 0;
      servers[server] = (servers[server] ?? 0) + match / ((index.serverSizes[server] ?? 0) + 2);
      best[tool] = 0;
    }
    for (const [stem, share] of concept.variants) {
      said.set(stem, Math.max(share * concept.weight, said.get(stem) ?? 0));
    }
  }
  if (total === 0) return { scores, fit: 0 };
  const wanted = wantedAction(goal);
  const many = asksForMany(goal);
  const asWritten = new Set(wordsOf(goal));
  const named = index.serverNames.map((name) => name.length > 0 && name.every((word) => asWritten.has(word)));
  for (let tool = 0; tool < index.size; tool += 1) {
    const match = (scores[tool] ?? 0) / total;
    top = Math.max(top, match);
    if (match > 0) scores[tool] = Math.max(0, match + context(tool, match));
  }
  return { scores, fit: (top * total) / whole };

  function context(tool: number, match: number): number {
    const name = shareOf(index.names[tool] ?? [], said) * settings.nameShare;
    const place = index.serverOf[tool] ?? 0;
    const server = ((servers[place] ?? 0) / total) * settings.server + (named[place] === true ? settings.mention : 0);
    const listing = many && index.lists[tool] === true ? settings.listing : 0;
    const action = listing + actionBonus(wanted, index.actions[tool], settings);
    const written = shareAsWritten(index.words[tool] ?? [], asWritten) * settings.asWritten;
    // What a tool's surroundings say counts as far as the tool itself has something to do with the goal.
    return (name + server + action + written) * Math.min(1, match * 4);
  }
}

/** Leaves in `best` how well each tool says the concept, by the variant that says it best. */
function matchConcept(
  index: CatalogueIndex,
  concept: Concept,
  settings: RankSettings,
  best: Float64Array,
): { rarity: number; touched: number[] } {
  const touched: number[] = [];
  const own = index.postings.get(concept.stem);
  const variants = own === undefined ? further(index, concept) : concept.variants;
  const ownRarity = rarityOf(own?.tools.length ?? 0, index.size);
  for (const [stem, weight] of variants) {
    const postings = stem === concept.stem ? own : index.postings.get(stem);
    if (postings === undefined) continue;
    const share = own === undefined ? settings.relatedAlone : settings.related;
    const said = stem === concept.stem ? 1 : Math.min(1, weight * share);
    const rarity = Math.min(ownRarity, rarityOf(postings.tools.length, index.size));
    for (let at = 0; at < postings.tools.length; at += 1) {
      const tool = postings.tools[at] ?? 0;
      const count = postings.weights[at] ?? 0;
      const match = (said * rarity * count) / (count + settings.saturation);
      if (best[tool] === 0) touched.push(tool);
      if (match > (best[tool] ?? 0)) best[tool] = match;
    }
  }
  return { rarity: touched.length === 0 ? 0 : ownRarity, touched };
}

/**
 * For a word that the catalogue does not have: where no related word helps, what these are related to, or words that
 * begin alike, which may be forms of it (`memorable`, `memory`).
 */
function further(index: CatalogueIndex, { stem, variants }: Concept): ReadonlyMap<string, number> {
  for (const variant of variants.keys()) if (index.postings.has(variant)) return variants;
  const found = new Map(variants);
  for (const [variant, weight] of variants) {
    if (variant === stem) continue;
    for (const [next, share] of relatedTo(variant)) {
      found.set(next, Math.max(found.get(next) ?? 0, weight * share * FURTHER_WEIGHT));
    }
  }
  if (variants.size > 1 || stem.length < FORM_LENGTH) return found;
  for (const form of index.forms.get(stem.slice(0, FORM_LENGTH)) ?? []) found.set(form, FORM_WEIGHT);
  return found;
}

const FORM_WEIGHT = 0.5;
const FURTHER_WEIGHT = 0.4;

function rarityOf(holders: number, tools: number): number {
  return Math.log(1 + (tools - holders + 0.5) / (holders + 0.5));
}

function shareOf(name: readonly string[], said: ReadonlyMap<string, number>): number {
  if (name.length === 0) return 0;
  return name.reduce((sum, stem) => sum + (said.get(stem) ?? 0), 0) / name.length;
}

function shareAsWritten(name: readonly string[], goal: ReadonlySet<string>): number {
  return name.length === 0 ? 0 : name.filter((word) => word.length > 2 && goal.has(word)).length / name.length;
}

function actionBonus(wanted: Action | undefined, done: Action | undefined, settings: RankSettings): number {
  if (wanted === undefined || done === undefined) return 0;
  if (wanted === done) return settings.sameAction;
  return contradict(wanted, done) ? settings.otherAction : 0;
}
