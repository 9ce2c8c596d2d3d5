import { facetsOfFilter } from '../facets.ts';
import { matchesFilter } from '../filter.ts';
import { type PackedMeta, tierNumber, unpackMeta } from '../packing.ts';
import { type Candidates, searchCandidates, toMatches } from '../search.ts';
import type { SegmentFilter, SegmentMatches, SegmentMeta, SegmentSearch } from '../segments.ts';
import { COLUMNS, type ProjectRow, toProject } from '../sql/projects.ts';
import { conditionOf, joinedText } from '../sql/rows.ts';
import type { Session } from '../sql/session.ts';
import { LOOKUP_PARAMETERS, lookUp, type Scope } from './lookups.ts';

/** How many candidates are read at a time until enough of them stand the filter. */
const READ_AT_ONCE = 100;
/** Where fewer than one in so many segments is in scope, the index is asked for those; else the others are passed over. */
const SPARSE = 4;

export async function searchSegments(session: Session, request: SegmentSearch): Promise<SegmentMatches> {
  const { projectId, text, filter = {}, limit } = request;
  const surveys = await surveysOf(session, projectId, filter);
  const projects = surveys.map(({ project }) => project);
  const survey = sumOf(surveys);
  if (survey.segments === 0) return { matches: [], found: 0, capped: false };
  const projectNo = projectId === undefined ? undefined : projects[0]?.no;
  const candidates = await look(scopeOf(session, projectNo, filter, survey), text);
  const read = await readBest(session, projects, candidates, { filter, limit });
  return toMatches(candidates, read, limit);
}

/** How many segments there are, in all and in the tier that is searched, and the number of the newest. */
interface Survey {
  readonly segments: number;
  readonly inTier: number;
  readonly newest: number;
}

/**
 * Also sets the planner's rules for the rest of the transaction. It knows little about words, least of all in a table
 * that has just grown: there is one way, through their index, and where that is all there is to a statement, one plan.
 */
async function surveysOf(
  session: Session,
  projectId: string | undefined,
  filter: SegmentFilter,
): Promise<(Survey & { readonly project: ProjectRow })[]> {
  const rules = isPlain(filter)
    ? { enable_seqscan: 'off', enable_indexscan: 'off', plan_cache_mode: 'force_generic_plan' }
    : { enable_seqscan: 'off' };
  const set = Object.entries(rules).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  const rows = await session.all(
    `SELECT ${COLUMNS}, ${set.join(', ')},
       (SELECT sum(segments) FROM segment_totals WHERE project = no) AS segments,
       (SELECT sum(segments) FROM segment_totals WHERE project = no AND cell LIKE $1) AS in_tier,
       (SELECT seq FROM segment_words WHERE project = no ORDER BY seq DESC LIMIT 1) AS newest
     FROM projects ${projectId === undefined ? '' : 'WHERE key = $2'}`,
    [`["${filter.tier ?? ''}%`, ...(projectId === undefined ? [] : [session.dialect.key(projectId)])],
    `survey_${projectId === undefined ? 'all' : 'one'}_${set.length}`,
  );
  return rows.map((row) => ({
    project: toProject(row),
    segments: Number(row['segments']),
    inTier: Number(row['in_tier']),
    newest: Number(row['newest']),
  }));
}

function sumOf(surveys: readonly Survey[]): Survey {
  return surveys.reduce(
    (sum, { segments, inTier, newest }) => ({
      segments: sum.segments + segments,
      inTier: sum.inTier + inTier,
      newest: Math.max(sum.newest, newest),
    }),
    { segments: 0, inTier: 0, newest: 0 },
  );
}

/** Project and tier are columns beside the words. As facets, they would be looked up for every match of a word. */
function scopeOf(session: Session, projectNo: number | undefined, filter: SegmentFilter, survey: Survey): Scope {
  const { segments, inTier, newest } = survey;
  const { tier, ...others } = filter;
  const within = inTier * SPARSE < segments ? filter : others;
  return {
    session,
    facets: facetsOfFilter(segments * SPARSE < newest ? projectNo : undefined, within),
    projectNo: projectNo ?? null,
    tier: tier === undefined ? null : tierNumber(tier),
    condition: isPlain(filter) ? undefined : conditionOf(session.dialect, projectNo, filter, LOOKUP_PARAMETERS + 1),
    segments,
    newest,
    frequent: new Map(),
  };
}

async function look(scope: Scope, text: string): Promise<Candidates> {
  const search = searchCandidates(text, scope.segments, scope.frequent);
  let step = search.next();
  while (step.done !== true) step = search.next(await lookUp(scope, step.value));
  return step.value;
}

/** Reads candidates from the best one on until `limit` of them stand the filter. */
async function readBest(
  session: Session,
  projects: readonly ProjectRow[],
  { ranked }: Candidates,
  { filter, limit }: { filter: SegmentFilter; limit: number },
): Promise<Map<number, SegmentMeta>> {
  const read = new Map<number, SegmentMeta>();
  const byNumber = new Map(projects.map((project) => [project.no, project]));
  const some = Math.min(READ_AT_ONCE, limit);
  for (let at = 0; at < ranked.length && read.size < limit; at += some) {
    const row = await session.get(
      `SELECT string_agg('[' || seq || ',' || project || ',' || collections || ',' || meta || ']', ',') AS joined
       FROM segments WHERE seq = ANY($1)`,
      [ranked.slice(at, at + some).map(([seq]) => seq)],
      'read_best',
    );
    const packed = JSON.parse(`[${joinedText(row)}]`) as [number, number, number, PackedMeta][];
    for (const [seq, projectNo, seen, each] of packed) {
      const project = byNumber.get(projectNo);
      const meta = project && unpackMeta(project.projectId, each, seen, project);
      if (meta && matchesFilter(meta, filter)) read.set(seq, meta);
    }
  }
  return read;
}

/** Whether facets, project and tier decide the filter. Digests that meet cost a candidate, not an answer. */
function isPlain({ ids, pinned, createdAfter, createdBefore, changedAfter }: SegmentFilter): boolean {
  return [ids, pinned, createdAfter, createdBefore, changedAfter].every((each) => each === undefined);
}
