import { TIERS } from '../packing.ts';
import type { SegmentFilter, SegmentMeta, SegmentPage, SegmentPageResult, SegmentTotals } from '../segments.ts';
import { sumCells } from '../totals.ts';
import { findProject, projectsMeant, toCell } from './projects.ts';
import { conditionOf, type NumberedMeta, readSegments, selectSegments, textOf } from './rows.ts';
import { comparable, type Session } from './session.ts';

export async function listSegments(
  session: Session,
  projectId: string | undefined,
  filter: SegmentFilter,
): Promise<SegmentMeta[]> {
  const lists: NumberedMeta[] = [];
  const projects = await projectsMeant(session, projectId);
  for (const project of projects) lists.push(...(await selectSegments(session, project, filter)));
  if (projects.length > 1) lists.sort((a, b) => a.seq - b.seq);
  return lists.map(({ meta }) => meta);
}

/** Numbers first, then only the page: a project may be large, a page is not. */
export async function newestSegments(
  session: Session,
  { projectId, filter = {}, limit }: SegmentPage,
): Promise<SegmentPageResult> {
  // Tags have no column: who filters by them reads the segments.
  if (filter.tags !== undefined) return pageOf(await listSegments(session, projectId, filter), limit);
  const pages: SegmentMeta[] = [];
  let found = 0;
  for (const project of await projectsMeant(session, projectId)) {
    const { sql, values } = conditionOf(session.dialect, project.no, filter);
    const rows = await session.all(
      `SELECT seq FROM segments WHERE ${sql} ORDER BY created DESC, seq DESC LIMIT $${values.length + 1}`,
      [...values, limit],
    );
    const page = { sql: session.dialect.among('seq', '$1'), values: [rows.map((row) => row['seq'])] };
    pages.push(...(await readSegments(session, project, page)).map(({ meta }) => meta));
    const counted = await session.get(`SELECT count(*) AS n FROM segments WHERE ${sql}`, values);
    found += Number(counted?.['n']);
  }
  return { segments: pageOf(pages, limit).segments, found };
}

function pageOf(all: readonly SegmentMeta[], limit: number): SegmentPageResult {
  // Later additions come first among equals: the list is in the order of additions, and sorting keeps that order.
  const newest = all.toReversed().sort((a, b) => b.createdAt - a.createdAt);
  return { segments: newest.slice(0, limit), found: all.length };
}

/** A single statement, one segment after the other by its key: this leaves a planner nothing to get wrong. */
export async function textsOf(
  session: Session,
  projectId: string,
  segmentIds: readonly string[],
): Promise<Map<string, string>> {
  if (segmentIds.length === 0) return new Map();
  const { key, listed } = session.dialect;
  const project = '(SELECT no FROM projects WHERE projects.key = $1)';
  const seq = `(SELECT seq FROM segments WHERE project = ${project} AND segments.key = named.key)`;
  const keys = segmentIds.map(key);
  const rows = await session.all(
    `SELECT key, ${stored('encoding')}, ${stored('text')}
     FROM (SELECT key, ${seq} AS seq FROM ${listed('$2')} AS named LIMIT $3) AS found WHERE seq IS NOT NULL`,
    [key(projectId), keys, keys.length],
    'texts',
  );
  const idOf = new Map(keys.map((each, at) => [comparable(each), segmentIds[at] ?? '']));
  return new Map(rows.map((row) => [idOf.get(comparable(row['key'])) ?? '', textOf(row)]));
}

function stored(column: 'encoding' | 'text'): string {
  return `(SELECT ${column} FROM segment_texts WHERE segment_texts.seq = found.seq) AS ${column}`;
}

/** Looks at the totals kept with every write, never at the segments, but for the two at the ends. */
export async function totalsOf(session: Session, projectId: string, filter: SegmentFilter): Promise<SegmentTotals> {
  const project = await findProject(session, projectId);
  if (project === undefined) return sumCells([], {});
  const { tier, taskId } = filter;
  const rows = await session.all('SELECT cell, segments, tokens FROM segment_totals WHERE project = $1', [project.no]);
  const cells = rows
    .map(toCell)
    .filter((cell) => tier === undefined || cell.tier === tier)
    .filter((cell) => taskId === undefined || cell.taskId === (taskId ?? undefined));
  const [oldest, newest] = [
    await edge(session, project.no, filter, 'min'),
    await edge(session, project.no, filter, 'max'),
  ];
  return sumCells(cells, oldest === undefined || newest === undefined ? {} : { oldest, newest });
}

/** One end of the times of creation: each a step into an index, so one tier at a time. */
async function edge(
  session: Session,
  projectNo: number,
  filter: SegmentFilter,
  end: 'min' | 'max',
): Promise<number | undefined> {
  const times: number[] = [];
  for (const tier of filter.tier === undefined ? TIERS : [filter.tier]) {
    const { sql, values } = conditionOf(session.dialect, projectNo, { ...filter, tier });
    const time = (await session.get(`SELECT ${end}(created) AS time FROM segments WHERE ${sql}`, values))?.['time'];
    if (typeof time === 'number') times.push(time);
  }
  return times.length === 0 ? undefined : Math[end](...times);
}
