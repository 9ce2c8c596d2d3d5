import { facetsOfFilter } from '../../facets.ts';
import { matchesFilter } from '../../filter.ts';
import { type Candidates, type Found, LOOKUP_CAP, type Lookup, searchCandidates, toMatches } from '../../search.ts';
import type { SegmentFilter, SegmentMatches, SegmentMeta, SegmentSearch } from '../../segments.ts';
import { soughtWords } from '../../words.ts';
import type { Session } from '../database.ts';
import { type ProjectRow, projectsMeant } from './projects.ts';
import { type Condition, conditionOf, readSegments } from './rows.ts';

/** How many of the newest segments are looked at to tell common words from rare ones. */
const SAMPLE = 200;
/** A word in more than this share of the newest segments is found soonest by going through them. */
const COMMON = 0.05;
/** How many candidates are read at a time until enough of them stand the filter. */
const READ_AT_ONCE = 100;

interface Scope {
  readonly session: Session;
  readonly projectNo: number | undefined;
  readonly filter: SegmentFilter;
  readonly segments: number;
  /** The share of the newest segments that have a word. */
  readonly shares: ReadonlyMap<string, number>;
}

export async function searchSegments(session: Session, request: SegmentSearch): Promise<SegmentMatches> {
  const { projectId, text, filter = {}, limit } = request;
  const projects = await projectsMeant(session, projectId);
  if (projects.length === 0) return { matches: [], found: 0, capped: false };
  const projectNo = projectId === undefined ? undefined : projects[0]?.no;
  const survey = await surveyOf(session, projectNo, soughtWords(text));
  const candidates = await look({ session, projectNo, filter, ...survey }, text);
  const read = await readBest(session, projects, candidates, { filter, limit });
  return toMatches(candidates, read, limit);
}

async function look(scope: Scope, text: string): Promise<Candidates> {
  const search = searchCandidates(text, scope.segments);
  let step = search.next();
  while (step.done !== true) step = search.next(await lookUp(scope, step.value));
  return step.value;
}

/** All lookups of a round in one statement. */
async function lookUp(scope: Scope, lookups: readonly Lookup[]): Promise<Found[]> {
  const found: number[][] = lookups.map(() => []);
  if (lookups.length === 0) return found;
  const { projectNo, filter } = scope;
  const { sql, values } = conditionOf(projectNo, filter);
  const where = isPlain(filter) ? undefined : shift(sql, lookups.length);
  const parts = lookups.map((lookup, at) => partOf(scope, lookup, at, where));
  const queries = lookups.map(({ all, any }) => tsquery([...facetsOfFilter(projectNo, filter), ...all], any));
  const rows = await scope.session.all(
    parts.join(' UNION ALL '),
    where === undefined ? queries : [...queries, ...values],
  );
  for (const row of rows) found[Number(row['place'])]?.push(Number(row['seq']));
  return found.map((seqs) => seqs.sort((a, b) => b - a));
}

/**
 * The planner knows little about words, least of all in a table that has just grown, and for a common word the index is
 * the slow way: every segment that has it would be fetched and sorted. So the way is chosen here: through the newest
 * segments, or through the index and nothing else.
 */
function partOf({ projectNo, shares }: Scope, { all, any }: Lookup, at: number, where: string | undefined): string {
  const share = any.length > 0 ? 0 : all.reduce((product, word) => product * (shares.get(word) ?? 0), 1);
  const matching = `words @@ $${at + 1}::tsquery`;
  const scanned = `SELECT seq FROM (
    SELECT seq, words FROM segment_words WHERE ${ofProject(projectNo)} ORDER BY seq DESC OFFSET 0
  ) AS newest WHERE ${matching}`;
  const indexed = `SELECT seq FROM segment_words WHERE ${matching} OFFSET 0`;
  const found = `(${share > COMMON ? scanned : indexed}) AS found`;
  const filtered = where === undefined ? found : `${found} JOIN segments USING (seq) WHERE ${where}`;
  return `(SELECT ${at} AS place, seq FROM ${filtered} ${share > COMMON && where === undefined ? '' : 'ORDER BY seq DESC'} LIMIT ${LOOKUP_CAP})`;
}

function ofProject(projectNo: number | undefined): string {
  return projectNo === undefined ? 'TRUE' : `project = ${projectNo}`;
}

function tsquery(all: readonly string[], any: readonly string[]): string {
  const either = any.length === 0 ? [] : [`(${any.map(quoted).join(' | ')})`];
  return [...all.map(quoted), ...either].join(' & ');
}

/** How many segments there are and how common words are among them, and for the rest of the transaction the planner's rules. */
async function surveyOf(
  session: Session,
  projectNo: number | undefined,
  words: readonly string[],
): Promise<Pick<Scope, 'segments' | 'shares'>> {
  const counts = words.map((_, at) => `, count(*) FILTER (WHERE words @@ $${at + 1}::tsquery) AS w${at}`).join('');
  const row = await session.get(
    `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true),
       (SELECT coalesce(sum(segments), 0) FROM segment_totals WHERE ${ofProject(projectNo)}) AS segments,
       count(*) AS n ${counts}
     FROM (SELECT words FROM segment_words WHERE ${ofProject(projectNo)} ORDER BY seq DESC LIMIT ${SAMPLE}) AS newest`,
    words.map(quoted),
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
