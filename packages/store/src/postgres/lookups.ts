import { type Found, LOOKUP_CAP, type Lookup } from '../search.ts';
import type { Condition } from '../sql/rows.ts';
import type { Session } from '../sql/session.ts';
import { INDEXED, type Newest, newestNumbers } from './stretches.ts';

/** So many of the newest segments are looked at first, to tell common words from rare ones. */
const SAMPLE = 1500;
/** A word that so many of these have is looked for among the newest alone, as far back as enough should have it. */
const FREQUENT = 8;
const ENOUGH = 1.3 * LOOKUP_CAP;
/** Words that more segments should have together are looked for among the newest alone as well. */
const MANY = 4 * ENOUGH;

/** How many parameters a lookup has before those of a condition. */
export const LOOKUP_PARAMETERS = 3;

export interface Scope {
  readonly session: Session;
  /** What the index is asked for beside words. */
  readonly facets: readonly string[];
  readonly projectNo: number | null;
  readonly tier: number | null;
  /** What neither facets nor project and tier decide. Its parameters follow those of a lookup. */
  readonly condition: Condition | undefined;
  readonly segments: number;
  /** The highest number of a segment. */
  readonly newest: number;
  /** How many segments about have a word, of the words that were looked for among the newest alone. */
  readonly frequent: Map<string, number>;
}

/**
 * Heap and index are read from the oldest match on, and all of a common word's would be fetched for the newest of them;
 * so the index is asked for those in the newest stretches of numbers only, as long as that finds enough.
 */
export async function lookUp(scope: Scope, lookups: readonly Lookup[]): Promise<Found[]> {
  if (lookups.every(isAlone)) return await lookUpWords(scope, lookups);
  return await ask(
    scope,
    lookups.map((lookup) => ({ lookup, within: whereTogether(scope, lookup) })),
  );
}

async function lookUpWords(scope: Scope, words: readonly Lookup[]): Promise<Found[]> {
  const { newest, segments, frequent } = scope;
  const sample = newestNumbers(newest, SAMPLE * (newest / segments));
  const found = await ask(
    scope,
    words.map((lookup) => ({ lookup, within: sample })),
  );
  if (sample === undefined) return found;
  const further = words.flatMap((lookup, at) => {
    const count = found[at]?.length ?? 0;
    if (count >= LOOKUP_CAP) return [];
    const within = count < FREQUENT ? undefined : newestNumbers(newest, (ENOUGH / count) * sample.numbers);
    return [{ at, lookup, within }];
  });
  const more = await ask(scope, further);
  for (const [place, { at }] of further.entries()) found[at] = more[place] ?? [];
  const everywhere = new Set(further.flatMap(({ at, within }) => (within === undefined ? [at] : [])));
  for (const [at, { all }] of words.entries()) {
    if (everywhere.has(at)) continue;
    const list = found[at] ?? [];
    const within = further.find((each) => each.at === at)?.within ?? sample;
    const numbers = list.length < LOOKUP_CAP ? within.numbers : newest - (list.at(-1) ?? 0) + 1;
    for (const word of all) frequent.set(word, (list.length / numbers) * newest);
  }
  return found;
}

function isAlone({ all, any }: Lookup): boolean {
  return all.length === 1 && any.length === 0;
}

/** What rare words found is little, and so is what common words have together, unless all of them are very common. */
function whereTogether({ frequent, segments, newest }: Scope, { all, any }: Lookup): Newest | undefined {
  if (any.length > 0) return undefined;
  const expected = all.reduce((rest, word) => rest * ((frequent.get(word) ?? 0) / segments), segments);
  return expected < MANY ? undefined : newestNumbers(newest, (ENOUGH / expected) * newest);
}

interface Asked {
  readonly lookup: Lookup;
  /** Undefined: everywhere. */
  readonly within: Newest | undefined;
}

/** All lookups in one statement. */
async function ask(scope: Scope, asked: readonly Asked[]): Promise<Found[]> {
  const found: Found[] = asked.map(() => []);
  if (asked.length === 0) return found;
  const { session, facets, projectNo, tier, condition } = scope;
  const queries = asked.map(({ lookup, within }) =>
    tsquery([...facets, ...lookup.all], [lookup.any, within?.stretches ?? []]),
  );
  const values = [queries, projectNo, tier, ...(condition?.values ?? [])];
  const name = condition === undefined ? 'look_up' : undefined;
  for (const row of await session.all(statementOf(condition), values, name)) {
    const seqs = JSON.parse(`[${String(row['seqs'])}]`) as number[];
    found[Number(row['place']) - 1] = seqs.sort((a, b) => b - a);
  }
  return found;
}

/** One text for all searches but those with a condition, so that it is planned once. `OFFSET 0` leaves no other way in. */
function statementOf(condition: Condition | undefined): string {
  const indexed = `SELECT seq, project, tier FROM segment_words WHERE ${INDEXED} @@ query OFFSET 0`;
  const standing =
    condition === undefined
      ? 'TRUE'
      : `EXISTS (SELECT FROM segments WHERE segments.seq = found.seq AND ${condition.sql} OFFSET 0)`;
  return `SELECT place, string_agg(seq::text, ',') AS seqs
    FROM unnest($1::tsquery[]) WITH ORDINALITY AS sought (query, place), LATERAL (
      SELECT seq FROM (${indexed}) AS found
      WHERE ($2::integer IS NULL OR project = $2) AND ($3::smallint IS NULL OR tier = $3) AND ${standing}
      ORDER BY seq DESC LIMIT ${LOOKUP_CAP}
    ) AS newest
    GROUP BY place`;
}

/** All of the first, and one of each other list that is not empty. */
function tsquery(all: readonly string[], eithers: readonly (readonly string[])[]): string {
  const lists = eithers.filter(({ length }) => length > 0).map((any) => `(${any.map(quoted).join(' | ')})`);
  return [...all.map(quoted), ...lists].join(' & ');
}

/** A lexeme as it stands. Neither words nor facets hold a quote or a backslash. */
function quoted(word: string): string {
  return `'${word}'`;
}
