import { facetsOfFilter } from '../../facets.ts';
import { matchesFilter } from '../../filter.ts';
import { type Candidates, type Found, LOOKUP_CAP, type Lookup, searchCandidates, toMatches } from '../../search.ts';
import type { SegmentFilter, SegmentMatches, SegmentMeta, SegmentSearch } from '../../segments.ts';
import type { Connection, SqlValue } from '../connection.ts';
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
  const scope = { db, projectNo, filter, thin: new Set<string>() };
  const search = searchCandidates(text, countOf(db, projectNo));
  let step = search.next();
  while (step.done !== true) step = search.next(step.value.map((each) => lookUp(scope, each)));
  return step.value;
}

interface Scope {
  readonly db: Connection;
  readonly projectNo: number | undefined;
  readonly filter: SegmentFilter;
  /** Words with many segments of which few stand the filter. */
  readonly thin: Set<string>;
}

/** How many segments are looked at for a word until enough of them stand the filter. */
const MOST_LOOKED_AT = 8 * LOOKUP_CAP;

/**
 * Words are looked up alone and their segments filtered as long as that leaves enough, which it does where the words are
 * rare or many segments stand the filter; otherwise the index does it, facet by facet, which takes several times as long.
 */
function lookUp({ db, projectNo, filter, thin }: Scope, { all, any }: Lookup): Found {
  const where = conditionOf(projectNo, filter);
  const words = [...all, ...any];
  if (filter.tags === undefined && !words.some((word) => thin.has(word))) {
    const found = matching(db, wordsQuery(all, any), where);
    // Together, words have fewer segments than alone, and alone they were looked up before.
    if (found.length >= LOOKUP_CAP || words.length > 1 || !hasMore(db, wordsQuery(all, any))) return found;
  }
  for (const word of words) thin.add(word);
  return matching(db, wordsQuery([...facetsOfFilter(projectNo, filter), ...all], any), where);
}

const NEWEST = 'SELECT rowid AS found FROM segment_words WHERE segment_words MATCH ? ORDER BY rowid DESC LIMIT ?';

/** The newest segments with these words, one by one until enough stand the filter: one step for both. */
function matching(db: Connection, words: string, { sql, values }: Condition): number[] {
  const from = isPlace(sql) ? 'segments INDEXED BY segments_place' : 'segments NOT INDEXED';
  const standing = `SELECT seq FROM (${NEWEST}) CROSS JOIN ${from} ON seq = found AND ${sql} LIMIT ?`;
  return seqsOf(db, standing, [words, MOST_LOOKED_AT, ...values, LOOKUP_CAP]);
}

/** Whether more segments have these words than were looked at. */
function hasMore(db: Connection, words: string): boolean {
  return db.get(`${NEWEST} OFFSET ?`, [words, 1, MOST_LOOKED_AT]) !== undefined;
}

function wordsQuery(all: readonly string[], any: readonly string[]): string {
  const either = any.length === 0 ? [] : [`(${any.map(quoted).join(' OR ')})`];
  return [...all.map(quoted), ...either].join(' AND ');
}

/** Whether a small index of its own decides the condition. */
function isPlace(sql: string): boolean {
  return sql === 'TRUE AND project = ? AND tier = ?';
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

function countOf(db: Connection, projectNo: number | undefined): number {
  const where = projectNo === undefined ? '' : 'WHERE project = ?';
  const values = projectNo === undefined ? [] : [projectNo];
  return Number(db.get(`SELECT sum(segments) AS n FROM segment_totals ${where}`, values)?.['n'] ?? 0);
}

function quoted(word: string): string {
  return `"${word}"`;
}
