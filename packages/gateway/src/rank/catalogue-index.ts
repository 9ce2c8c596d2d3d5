import { type Action, actionOf } from './action.ts';
import { type FieldName, type Rankable, type ToolTexts, textsOf } from './document.ts';
import type { RankSettings } from './settings.ts';
import { stemOf } from './stem.ts';
import { stemsOf, wordsOf } from './words.ts';

/** The tools in which a stem occurs, with how much it counts in each. */
export interface Postings {
  readonly tools: Int32Array;
  /** Occurrences, weighed by field and held back by length. */
  readonly weights: Float64Array;
}

/** A catalogue prepared for ranking. Built once per version; nothing in it changes. */
export interface CatalogueIndex {
  readonly size: number;
  readonly postings: ReadonlyMap<string, Postings>;
  /** The stems of each tool's name, without those of its server's. */
  readonly names: readonly (readonly string[])[];
  /** The words of each tool's name as they stand: `users` is not `user`. */
  readonly words: readonly (readonly string[])[];
  /** Which tools list. */
  readonly lists: readonly boolean[];
  readonly actions: readonly (Action | undefined)[];
  /** Number of the server each tool belongs to, and how many tools each has. */
  readonly serverOf: Int32Array;
  readonly serverSizes: readonly number[];
  /** The words of each server's name. */
  readonly serverNames: readonly (readonly string[])[];
  /** Stems by how they begin. */
  readonly forms: ReadonlyMap<string, readonly string[]>;
  /** Each tool as one text, for a backend. */
  readonly texts: readonly string[];
}

const FIELDS: readonly FieldName[] = ['name', 'title', 'server', 'lead', 'rest', 'parameters', 'parameterTexts'];
const MAX_TEXT = 1500;
/** Words that begin alike for as long as this are taken for forms of one another, where nothing better is known. */
export const FORM_LENGTH = 5;

export function buildIndex(tools: readonly Rankable[], settings: RankSettings): CatalogueIndex {
  const texts = tools.map(textsOf);
  const stems = texts.map((fields) => FIELDS.map((field) => stemsOf(fields[field])));
  splitCompounds(stems);
  const servers = [...new Set(tools.map(({ server }) => server))];
  const serverOf = Int32Array.from(tools, ({ server }) => servers.indexOf(server));
  const serverSizes = servers.map(() => 0);
  for (const server of serverOf) serverSizes[server] = (serverSizes[server] ?? 0) + 1;
  const names = stems.map(([name = [], , server = []]) => ownStems(name, server));
  const postings = postingsOf(stems, settings);
  return {
    size: tools.length,
    postings,
    forms: formsOf(postings.keys()),
    names,
    words: tools.map(({ name }) => wordsOf(name)),
    lists: names.map((name) => name.some((stem) => LISTING.has(stem))),
    actions: names.map((name) => name.map(actionOf).find((action) => action !== undefined)),
    serverOf,
    serverSizes,
    serverNames: servers.map((server) => wordsOf(server).filter((word) => !SERVER_WORDS.has(word))),
    texts: texts.map(asText),
  };
}

function postingsOf(tools: readonly (readonly string[][])[], settings: RankSettings): Map<string, Postings> {
  const means = FIELDS.map((_, field) => {
    const filled = tools.map((fields) => fields[field]?.length ?? 0).filter((length) => length > 0);
    return filled.reduce((sum, length) => sum + length, 0) / Math.max(1, filled.length) || 1;
  });
  const collected = new Map<string, { tools: number[]; weights: number[] }>();
  for (const [tool, fields] of tools.entries()) {
    for (const [stem, weight] of weightsOf(fields, means, settings)) {
      const entry = collected.get(stem) ?? { tools: [], weights: [] };
      collected.set(stem, entry);
      entry.tools.push(tool);
      entry.weights.push(weight);
    }
  }
  const postings = new Map<string, Postings>();
  for (const [stem, { tools: at, weights }] of collected) {
    postings.set(stem, { tools: Int32Array.from(at), weights: Float64Array.from(weights) });
  }
  return postings;
}

/** Names written in one word, such as `heapsnapshot`, also count as the words they are made of. */
function splitCompounds(tools: readonly (readonly string[][])[]): void {
  const known = new Set(tools.flatMap((fields) => fields.slice(0, LEADING_FIELDS).flat()));
  for (const [name = []] of tools) name.push(...name.flatMap((stem) => partsOf(stem, known)));
}

function partsOf(stem: string, known: ReadonlySet<string>): string[] {
  for (let at = COMPOUND_PART; at <= stem.length - COMPOUND_PART; at += 1) {
    const parts = [stem.slice(0, at), stem.slice(at)].map(stemOf);
    if (parts.every((part) => known.has(part))) return parts;
  }
  return [];
}

/** What stands in many servers' names and is no part of any. */
const SERVER_WORDS = new Set(['mcp', 'server', 'api', 'the', 'official']);

const LISTING = new Set(['list', 'all', 'search', 'find', 'brows'].map(stemOf));

const COMPOUND_PART = 4;
const LEADING_FIELDS = 4;

function formsOf(stems: Iterable<string>): Map<string, string[]> {
  const forms = new Map<string, string[]>();
  for (const stem of stems) {
    if (stem.length < FORM_LENGTH) continue;
    const start = stem.slice(0, FORM_LENGTH);
    const alike = forms.get(start);
    if (alike === undefined) forms.set(start, [stem]);
    else if (alike.length < MAX_FORMS) alike.push(stem);
  }
  return forms;
}

const MAX_FORMS = 8;

function weightsOf(fields: readonly string[][], means: readonly number[], settings: RankSettings): Map<string, number> {
  const weights = new Map<string, number>();
  for (const [at, field] of FIELDS.entries()) {
    const stems = fields[at] ?? [];
    const norm = settings.lengthNorm[field];
    const each = settings.fields[field] / (1 - norm + (norm * stems.length) / (means[at] ?? 1));
    for (const stem of stems) weights.set(stem, (weights.get(stem) ?? 0) + each);
  }
  return weights;
}

/** `slack_post_message` of the server `slack` is `post message`; a name that is the server's stays. */
function ownStems(name: readonly string[], server: readonly string[]): readonly string[] {
  const own = name.filter((stem) => !server.includes(stem) && stem.length > 1);
  return own.length > 0 ? own : name;
}

function asText({ server, name, title, lead, rest, parameters }: ToolTexts): string {
  return [server, name, title, lead, parameters, rest].filter(Boolean).join('\n').slice(0, MAX_TEXT);
}
