import { facetsOfFilter } from '../facets.ts';
import { matchesFilter } from '../filter.ts';
import { type Candidates, type Found, LOOKUP_CAP, type Lookup, searchCandidates, toMatches } from '../search.ts';
import type { SegmentFilter, SegmentMatches, SegmentMeta, SegmentSearch } from '../segments.ts';
import { type ProjectRow, projectsMeant } from '../sql/projects.ts';
import { conditionOf, joinedText, readSegments } from '../sql/rows.ts';
import type { Session } from '../sql/session.ts';

/** How many candidates are read at a time until enough of them stand the filter. */
const READ_AT_ONCE = 100;

export async function searchSegments(session: Session, request: SegmentSearch): Promise<SegmentMatches> {
  const { projectId, text, filter = {}, limit } = request;
  const projects = await projectsMeant(session, projectId);
  if (projects.length === 0) return { matches: [], found: 0, capped: false };
  const projectNo = projectId === undefined ? undefined : projects[0]?.no;
  const candidates = await look({ session, projectNo, filter, thin: new Set() }, text);
  return toMatches(candidates, await readBest(session, projects, candidates, { filter, limit }), limit);
}

interface Scope {
  readonly session: Session;
  readonly projectNo: number | undefined;
  readonly filter: SegmentFilter;
  /** Words with many segments of which few stand the filter. */
  readonly thin: Set<string>;
}

async function look(scope: Scope, text: string): Promise<Candidates> {
  const search = searchCandidates(text, await countOf(scope));
  let step = search.next();
  while (step.done !== true) {
    const found: Found[] = [];
    for (const lookup of step.value) found.push(await lookUp(scope, lookup));
    step = search.next(found);
  }
  return step.value;
}

/** How many segments are looked at for a word until enough of them stand the filter. */
const MOST_LOOKED_AT = 8 * LOOKUP_CAP;

/**
 * Words are looked up alone and their segments filtered as long as that leaves enough, which it does where the words are
 * rare or many segments stand the filter; otherwise the index does it, facet by facet, which takes several times as long.
 */
async function lookUp(scope: Scope, { all, any }: Lookup): Promise<Found> {
  const { session, projectNo, filter, thin } = scope;
  const words = [...all, ...any];
  if (filter.tags === undefined && !words.some((word) => thin.has(word))) {
    const found = await matching(scope, wordsQuery(all, any));
    // Together, words have fewer segments than alone, and alone they were looked up before.
    if (found.length >= LOOKUP_CAP || words.length > 1 || !(await hasMore(session, wordsQuery(all, any)))) return found;
  }
  for (const word of words) thin.add(word);
  return await matching(scope, wordsQuery([...facetsOfFilter(projectNo, filter), ...all], any));
}

const NEWEST = 'SELECT rowid AS found FROM segment_words WHERE segment_words MATCH $1 ORDER BY rowid DESC LIMIT $2';

/** The newest segments with these words, one by one until enough stand the filter: one step for both. */
async function matching({ session, projectNo, filter }: Scope, words: string): Promise<Found> {
  const { sql, values } = conditionOf(session.dialect, projectNo, filter, 4);
  const from = isPlace(projectNo, filter) ? 'segments INDEXED BY segments_place' : 'segments NOT INDEXED';
  const standing = `SELECT seq FROM (${NEWEST}) CROSS JOIN ${from} ON seq = found AND ${sql} LIMIT $3`;
  const joined = `SELECT ${session.dialect.joined('seq')} AS joined FROM (${standing})`;
  const row = await session.get(joined, [words, MOST_LOOKED_AT, LOOKUP_CAP, ...values]);
  return (JSON.parse(`[${joinedText(row)}]`) as number[]).sort((a, b) => b - a);
}

/** Whether more segments have these words than were looked at. */
async function hasMore(session: Session, words: string): Promise<boolean> {
  return (await session.get(`${NEWEST} OFFSET $3`, [words, 1, MOST_LOOKED_AT])) !== undefined;
}

function wordsQuery(all: readonly string[], any: readonly string[]): string {
  const either = any.length === 0 ? [] : [`(${any.map(quoted).join(' OR ')})`];
  return [...all.map(quoted), ...either].join(' AND ');
}

/** Whether a small index of its own decides the filter: nothing but a project and a tier. */
function isPlace(projectNo: number | undefined, { tier, ...others }: SegmentFilter): boolean {
  const isAlone = Object.values(others).every((value) => value === undefined);
  return projectNo !== undefined && tier !== undefined && isAlone;
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
      const { sql, values } = conditionOf(session.dialect, project.no, filter, 2);
      const where = { sql: `${session.dialect.among('seq', '$1')} AND ${sql}`, values: [seqs, ...values] };
      for (const { seq, meta } of await readSegments(session, project, where, 'segments NOT INDEXED')) {
        if (matchesFilter(meta, filter)) read.set(seq, meta);
      }
    }
  }
  return read;
}

async function countOf({ session, projectNo }: Scope): Promise<number> {
  const where = projectNo === undefined ? '' : 'WHERE project = $1';
  const values = projectNo === undefined ? [] : [projectNo];
  return Number((await session.get(`SELECT sum(segments) AS n FROM segment_totals ${where}`, values))?.['n'] ?? 0);
}

function quoted(word: string): string {
  return `"${word}"`;
}
