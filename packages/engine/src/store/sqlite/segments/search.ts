import { facetsOfFilter } from '../../facets.ts';
import { matchesFilter } from '../../filter.ts';
import { type Candidates, type Found, LOOKUP_CAP, type Lookup, searchCandidates, toMatches } from '../../search.ts';
import type { SegmentFilter, SegmentMatches, SegmentMeta, SegmentSearch } from '../../segments.ts';
import type { Connection, SqlValue } from '../port.ts';
import type { ProjectRow } from './projects.ts';
import { type Condition, conditionOf, projectsMeant, readSegments } from './rows.ts';

/** How many candidates are read at a time until enough of them stand the filter. */
const READ_AT_ONCE = 100;

export function searchSegments(db: Connection, request: SegmentSearch): SegmentMatches {
  const { projectId, text, filter = {}, limit } = request;
  const projects = projectsMeant(db, projectId);
  if (projects.length === 0) return { matches: [], found: 0, capped: false };
  const only = projectId === undefined ? undefined : projects[0]?.no;
  const candidates = look(db, text, only, filter);
  return toMatches(candidates, readBest(db, projects, candidates, { filter, limit }), limit);
}

function look(db: Connection, text: string, projectNo: number | undefined, filter: SegmentFilter): Candidates {
  const scope: Scope = { db, projectNo, filter, stands: new Map() };
  const search = searchCandidates(text, countOf(db, projectNo));
  let step = search.next();
  while (step.done !== true) step = search.next(lookUpAll(scope, step.value));
  return step.value;
}

/** Where one search looks, and whether each segment it has come across stands the filter. */
interface Scope {
  readonly db: Connection;
  readonly projectNo: number | undefined;
  readonly filter: SegmentFilter;
  readonly stands: Map<number, boolean>;
}

/** How many segments are looked at for a word until enough of them stand the filter. */
const LOOKS = [2 * LOOKUP_CAP, 8 * LOOKUP_CAP] as const;

/**
 * Words are looked up alone and their segments filtered as long as that leaves enough, which it does where the words are
 * rare or many segments stand the filter; otherwise the index does it, facet by facet, which takes several times as long.
 */
function lookUpAll(scope: Scope, lookups: readonly Lookup[]): Found[] {
  const found = new Map<Lookup, Found>();
  let waiting = scope.filter.tags === undefined ? lookups : [];
  for (const limit of LOOKS) {
    const lists = waiting.map(({ all, any }) => matching(scope.db, all, any, limit));
    judge(scope, lists.flat());
    waiting = waiting.filter((lookup, at) => {
      const list = lists[at] ?? [];
      const left = list.filter((seq) => scope.stands.get(seq));
      if (list.length >= limit && left.length < LOOKUP_CAP) return true;
      found.set(lookup, left.slice(0, LOOKUP_CAP));
      return false;
    });
  }
  return lookups.map((lookup) => found.get(lookup) ?? byFacets(scope, lookup));
}

function byFacets({ db, projectNo, filter }: Scope, { all, any }: Lookup): Found {
  const found = matching(db, [...facetsOfFilter(projectNo, filter), ...all], any, LOOKUP_CAP);
  return isPlain(filter) ? found : narrow(db, found, projectNo, filter);
}

/** All lookups of a round in one statement, and no segment twice. */
function judge({ db, projectNo, filter, stands }: Scope, seqs: Found): void {
  const unknown = [...new Set(seqs)].filter((seq) => !stands.has(seq));
  const left = new Set(narrow(db, unknown, projectNo, filter));
  for (const seq of unknown) stands.set(seq, left.has(seq));
}

function matching(db: Connection, all: readonly string[], any: readonly string[], limit: number): number[] {
  const either = any.length === 0 ? [] : [`(${any.map(quoted).join(' OR ')})`];
  const wanted = [...all.map(quoted), ...either].join(' AND ');
  const newest = 'SELECT rowid AS seq FROM segment_words WHERE segment_words MATCH ? ORDER BY rowid DESC LIMIT ?';
  return seqsOf(db, newest, [wanted, limit]);
}

function narrow(db: Connection, seqs: Found, projectNo: number | undefined, filter: SegmentFilter): number[] {
  if (seqs.length === 0) return [];
  const { sql, values } = within(seqs, projectNo, filter);
  return seqsOf(db, `SELECT seq FROM segments NOT INDEXED WHERE ${sql}`, values);
}

/** Numbers come as one text: a call into the WebAssembly build costs more than the value it brings. */
function seqsOf(db: Connection, query: string, values: readonly SqlValue[]): number[] {
  const joined = db.get(`SELECT group_concat(seq) AS joined FROM (${query})`, values)?.['joined'];
  if (joined === null || joined === undefined) return [];
  return (JSON.parse(`[${String(joined)}]`) as number[]).sort((a, b) => b - a);
}

/** Reads candidates from the best one on until `limit` of them stand the filter. */
function readBest(
  db: Connection,
  projects: readonly ProjectRow[],
  { ranked }: Candidates,
  { filter, limit }: { filter: SegmentFilter; limit: number },
): Map<number, SegmentMeta> {
  const read = new Map<number, SegmentMeta>();
  for (let at = 0; at < ranked.length && read.size < limit; at += READ_AT_ONCE) {
    const seqs = ranked.slice(at, at + READ_AT_ONCE).map(([seq]) => seq);
    for (const project of projects) {
      for (const { seq, meta } of readSegments(db, project, within(seqs, project.no, filter), 'segments NOT INDEXED')) {
        if (matchesFilter(meta, filter)) read.set(seq, meta);
      }
    }
  }
  return read;
}

function within(seqs: Found, projectNo: number | undefined, filter: SegmentFilter): Condition {
  const { sql, values } = conditionOf(projectNo, filter);
  return { sql: `seq IN (SELECT value FROM json_each(?)) AND ${sql}`, values: [JSON.stringify(seqs), ...values] };
}

/** Whether facets alone decide the filter. Their short digests may meet, which costs a candidate, not an answer. */
function isPlain({ ids, pinned, createdAfter, createdBefore, changedAfter }: SegmentFilter): boolean {
  return [ids, pinned, createdAfter, createdBefore, changedAfter].every((each) => each === undefined);
}

function countOf(db: Connection, projectNo: number | undefined): number {
  const where = projectNo === undefined ? '' : 'WHERE project = ?';
  const values = projectNo === undefined ? [] : [projectNo];
  return Number(db.get(`SELECT sum(segments) AS n FROM segment_totals ${where}`, values)?.['n'] ?? 0);
}

function quoted(word: string): string {
  return `"${word}"`;
}
