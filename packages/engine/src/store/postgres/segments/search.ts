import { facetsOfFilter } from '../../facets.ts';
import { matchesFilter } from '../../filter.ts';
import { type Candidates, type Found, LOOKUP_CAP, type Lookup, searchCandidates, toMatches } from '../../search.ts';
import type { SegmentFilter, SegmentMatches, SegmentMeta, SegmentSearch } from '../../segments.ts';
import { soughtWords } from '../../words.ts';
import type { Session } from '../database.ts';
import { type ProjectRow, projectsMeant } from './projects.ts';
import { type Condition, conditionOf, readSegments } from './rows.ts';

/** How many of the newest segments are looked at to tell common words from rare ones. */
const SAMPLE = 400;
/** A word in more than this share of the newest segments is found soonest by going through them. */
const COMMON = 0.03;
/** From this share on, a word is looked for among so many of the newest segments only, where a project has more. */
const FREQUENT = 0.01;
const DEPTH = 4000;
/** How many candidates are read at a time until enough of them stand the filter. */
const READ_AT_ONCE = 100;

interface Scope {
  readonly session: Session;
  readonly projectNo: number | undefined;
  readonly filter: SegmentFilter;
  readonly facets: readonly string[];
  readonly segments: number;
  /** The share of the newest segments that are in scope and have a word. */
  readonly shares: ReadonlyMap<string, number>;
  /** What was found for a word. */
  readonly known: Map<string, Found>;
}

export async function searchSegments(session: Session, request: SegmentSearch): Promise<SegmentMatches> {
  const { projectId, text, filter = {}, limit } = request;
  const projects = await projectsMeant(session, projectId);
  if (projects.length === 0) return { matches: [], found: 0, capped: false };
  const projectNo = projectId === undefined ? undefined : projects[0]?.no;
  const facets = facetsOfFilter(projectNo, filter);
  const survey = await surveyOf(session, projectNo, facets, soughtWords(text));
  const candidates = await look({ session, projectNo, filter, facets, ...survey, known: new Map() }, text);
  const read = await readBest(session, projects, candidates, { filter, limit });
  return toMatches(candidates, read, limit);
}

async function look(scope: Scope, text: string): Promise<Candidates> {
  const frequent = [...scope.shares].filter(([word]) => isFrequent(scope, word));
  const common = new Map(frequent.map(([word, share]) => [word, share * scope.segments]));
  const search = searchCandidates(text, scope.segments, common);
  let step = search.next();
  while (step.done !== true) step = search.next(await lookUp(scope, step.value));
  return step.value;
}

/** All lookups of a round in one statement. */
async function lookUp(scope: Scope, lookups: readonly Lookup[]): Promise<Found[]> {
  const found: number[][] = lookups.map(() => []);
  if (lookups.length === 0) return found;
  const values = new Values();
  const isTogether = ({ all, any }: Lookup): boolean =>
    any.length === 0 && all.length === 1 && isFrequent(scope, all[0] ?? '');
  const parts = lookups.flatMap((lookup, at) =>
    isTogether(lookup) ? [] : `(SELECT ${at} AS place, seq FROM ${partOf(scope, lookup, values)})`,
  );
  const together = lookups.flatMap((lookup, at): [number, string][] =>
    isTogether(lookup) ? [[at, lookup.all[0] ?? '']] : [],
  );
  if (together.length > 0) parts.push(`(${amongNewest(scope, together, values)})`);
  const rows = await scope.session.all(parts.join(' UNION ALL '), values.all);
  for (const row of rows) found[Number(row['place'])]?.push(Number(row['seq']));
  for (const [at, { all, any }] of lookups.entries()) {
    if (all.length === 1 && any.length === 0) scope.known.set(all[0] ?? '', found[at] ?? []);
  }
  return found.map((seqs) => seqs.sort((a, b) => b - a).slice(0, LOOKUP_CAP));
}

/** Neither rare enough for the index nor common enough to be found at once: such words share one look at the newest. */
function isFrequent({ shares, segments, filter }: Scope, word: string): boolean {
  const share = shares.get(word) ?? 0;
  return segments > DEPTH && share >= FREQUENT && share <= COMMON && isPlain(filter);
}

function amongNewest(
  { projectNo, facets }: Scope,
  words: readonly (readonly [place: number, word: string])[],
  values: Values,
): string {
  const cases = words.map(([place, word]) => `(${place}, words @@ ${values.add(tsquery([...facets, word]))}::tsquery)`);
  const newest = `SELECT seq, words FROM segment_words WHERE ${ofProject(projectNo)} ORDER BY seq DESC LIMIT ${DEPTH}`;
  return `SELECT place, seq FROM (${newest}) AS newest, LATERAL (VALUES ${cases.join(', ')}) AS word (place, has) WHERE has`;
}

/**
 * The planner knows little about words, least of all in a table that has just grown, and for a common word the index is
 * the slow way: every segment that has it would be fetched and sorted. So the way is chosen here: through the newest
 * segments, or through the index and nothing else.
 */
function partOf(scope: Scope, { all, any }: Lookup, values: Values): string {
  const { projectNo, filter, shares, known } = scope;
  if (any.length > 0) {
    // What rare words found is in scope, and little enough to be asked one by one.
    const seqs = [...new Set(any.flatMap((word) => known.get(word) ?? []))];
    return `segment_words WHERE words @@ ${values.add(tsquery(all))}::tsquery AND seq = ANY(${values.add(seqs)}::bigint[])`;
  }
  const share = all.reduce((product, word) => product * (shares.get(word) ?? 0), 1);
  const found = share > COMMON ? scanned(scope, all, values) : indexed(scope, all, values);
  if (isPlain(filter)) return `(${found}) AS found ${share > COMMON ? '' : 'ORDER BY seq DESC'} LIMIT ${LOOKUP_CAP}`;
  const { sql, values: own } = conditionOf(projectNo, filter);
  const where = shift(sql, values.all.length);
  for (const value of own) values.add(value);
  return `(${found}) AS found JOIN segments USING (seq) WHERE ${where} ORDER BY seq DESC LIMIT ${LOOKUP_CAP}`;
}

function scanned({ projectNo, facets }: Scope, all: readonly string[], values: Values): string {
  const newest = `SELECT seq, words FROM segment_words WHERE ${ofProject(projectNo)} ORDER BY seq DESC OFFSET 0`;
  return `SELECT seq FROM (${newest}) AS newest WHERE words @@ ${values.add(tsquery([...facets, ...all]))}::tsquery`;
}

function indexed({ facets }: Scope, all: readonly string[], values: Values): string {
  return `SELECT seq FROM segment_words WHERE words @@ ${values.add(tsquery([...facets, ...all]))}::tsquery OFFSET 0`;
}

/** The parameters of a statement. */
class Values {
  readonly all: unknown[] = [];

  /** The name of the parameter. */
  add(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

function ofProject(projectNo: number | undefined): string {
  return projectNo === undefined ? 'TRUE' : `project = ${projectNo}`;
}

function tsquery(all: readonly string[]): string {
  return all.map(quoted).join(' & ');
}

/** How many segments there are and how common words are; and, for the rest of the transaction, the planner's rules. */
async function surveyOf(
  session: Session,
  projectNo: number | undefined,
  facets: readonly string[],
  words: readonly string[],
): Promise<Pick<Scope, 'segments' | 'shares'>> {
  const counts = words.map((_, at) => `, count(*) FILTER (WHERE words @@ $${at + 1}::tsquery) AS w${at}`).join('');
  const row = await session.get(
    `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true),
       (SELECT coalesce(sum(segments), 0) FROM segment_totals WHERE ${ofProject(projectNo)}) AS segments,
       count(*) AS n ${counts}
     FROM (SELECT words FROM segment_words WHERE ${ofProject(projectNo)} ORDER BY seq DESC LIMIT ${SAMPLE}) AS newest`,
    words.map((word) => tsquery([...facets, word])),
  );
  const size = Math.max(1, Number(row?.['n']));
  const shares = new Map(words.map((word, at) => [word, Number(row?.[`w${at}`]) / size]));
  return { segments: Number(row?.['segments']), shares };
}

/** Reads candidates from the best one on until `limit` of them stand the filter. */
async function readBest(
  session: Session,
  projects: readonly ProjectRow[],
  { ranked }: Candidates,
  { filter, limit }: { filter: SegmentFilter; limit: number },
): Promise<Map<number, SegmentMeta>> {
  const read = new Map<number, SegmentMeta>();
  for (let at = 0; at < ranked.length && read.size < limit; at += READ_AT_ONCE) {
    const seqs = ranked.slice(at, at + READ_AT_ONCE).map(([seq]) => seq);
    for (const project of projects) {
      for (const { seq, meta } of await readSegments(session, project, within(seqs, project.no))) {
        if (matchesFilter(meta, filter)) read.set(seq, meta);
      }
    }
  }
  return read;
}

function within(seqs: Found, projectNo: number): Condition {
  return { sql: 'seq = ANY($1) AND project = $2', values: [seqs, projectNo] };
}

/** Whether facets alone decide the filter. Their short digests may meet, which costs a candidate, not an answer. */
function isPlain({ ids, pinned, createdAfter, createdBefore, changedAfter }: SegmentFilter): boolean {
  return [ids, pinned, createdAfter, createdBefore, changedAfter].every((each) => each === undefined);
}

/** Numbers the parameters of a condition from `by` + 1 on. */
function shift(sql: string, by: number): string {
  return sql.replace(/\$(\d+)/g, (_, at: string) => `$${Number(at) + by}`);
}

/** A lexeme as it stands. Neither words nor facets hold a quote or a backslash. */
function quoted(word: string): string {
  return `'${word}'`;
}
