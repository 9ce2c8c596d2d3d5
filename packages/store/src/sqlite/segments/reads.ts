import { packText, TIERS, tierNumber, unpackText } from '../../packing.ts';
import type { SegmentFilter, SegmentMeta, SegmentPage, SegmentPageResult, SegmentTotals } from '../../segments.ts';
import { type Cell, sumCells } from '../../totals.ts';
import type { Connection } from '../connection.ts';
import { findProject } from './projects.ts';
import { conditionOf, idList, projectsMeant, readSegments, readTexts, selectSegments } from './rows.ts';

export function listSegments(db: Connection, projectId: string | undefined, filter: SegmentFilter): SegmentMeta[] {
  const lists = projectsMeant(db, projectId).map((project) => selectSegments(db, project, filter));
  const all = lists.length === 1 ? (lists[0] ?? []) : lists.flat().sort((a, b) => a.seq - b.seq);
  return all.map(({ meta }) => meta);
}

/** Numbers first, then only the page: a project may be large, a page is not. */
export function newestSegments(db: Connection, { projectId, filter = {}, limit }: SegmentPage): SegmentPageResult {
  // Tags have no column: who filters by them reads the segments.
  if (filter.tags !== undefined) return pageOf(listSegments(db, projectId, filter), limit);
  const pages = projectsMeant(db, projectId).map((project) => {
    const { sql, values } = conditionOf(project.no, filter);
    const rows = db.all(`SELECT seq FROM segments WHERE ${sql} ORDER BY created DESC, seq DESC LIMIT ?`, [
      ...values,
      limit,
    ]);
    const seqs = JSON.stringify(rows.map((row) => row['seq']));
    const page = { sql: 'seq IN (SELECT value FROM json_each(?))', values: [seqs] };
    const found = Number(db.get(`SELECT count(*) AS n FROM segments WHERE ${sql}`, values)?.['n']);
    return { segments: readSegments(db, project, page).map(({ meta }) => meta), found };
  });
  const { segments } = pageOf(
    pages.flatMap((page) => page.segments),
    limit,
  );
  return { segments, found: pages.reduce((sum, { found }) => sum + found, 0) };
}

function pageOf(all: readonly SegmentMeta[], limit: number): SegmentPageResult {
  // Later additions come first among equals: the list is in the order of additions, and sorting keeps that order.
  const newest = all.toReversed().sort((a, b) => b.createdAt - a.createdAt);
  return { segments: newest.slice(0, limit), found: all.length };
}

export function textsOf(db: Connection, projectId: string, segmentIds: readonly string[]): Map<string, string> {
  const project = findProject(db, projectId);
  if (project === undefined || segmentIds.length === 0) return new Map();
  const found = readSegments(db, project, {
    sql: 'project = ? AND id IN (SELECT value FROM json_each(?))',
    values: [project.no, idList(segmentIds)],
  });
  const texts = readTexts(
    db,
    found.map(({ seq }) => seq),
  );
  return new Map(found.map(({ seq, meta }) => [meta.segmentId, texts.get(seq) ?? '']));
}

/** Looks at the totals kept with every write, never at the segments, but for the two at the ends. */
export function totalsOf(db: Connection, projectId: string, filter: SegmentFilter): SegmentTotals {
  const project = findProject(db, projectId);
  if (project === undefined) return sumCells([], {});
  const { tier, taskId } = filter;
  const task = taskId === null ? '' : taskId === undefined ? undefined : packText(taskId);
  const rows = db.all('SELECT tier, type, task, pinned, segments, tokens FROM segment_totals WHERE project = ?', [
    project.no,
  ]);
  const cells = rows
    .filter((row) => tier === undefined || row['tier'] === tierNumber(tier))
    .filter((row) => task === undefined || row['task'] === task)
    .map((row): Cell => {
      const of = String(row['task']);
      return {
        tier: TIERS[Number(row['tier']) as 0 | 1],
        type: unpackText(String(row['type'])),
        taskId: of === '' ? undefined : unpackText(of),
        pinned: row['pinned'] === 1,
        segments: Number(row['segments']),
        tokens: Number(row['tokens']),
      };
    });
  const [oldest, newest] = (['min', 'max'] as const).map((end) => edge(db, project.no, filter, end));
  return sumCells(cells, oldest === undefined || newest === undefined ? {} : { oldest, newest });
}

/** One end of the times of creation: each a step into an index, so one tier at a time. */
function edge(db: Connection, projectNo: number, filter: SegmentFilter, end: 'min' | 'max'): number | undefined {
  const times = (filter.tier === undefined ? TIERS : [filter.tier]).flatMap((tier) => {
    const { sql, values } = conditionOf(projectNo, { ...filter, tier });
    const time = db.get(`SELECT ${end}(created) AS time FROM segments WHERE ${sql}`, values)?.['time'];
    return typeof time === 'number' ? time : [];
  });
  return times.length === 0 ? undefined : Math[end](...times);
}
