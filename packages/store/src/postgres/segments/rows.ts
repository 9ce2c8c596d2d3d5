import { decodeText } from '../../codec.ts';
import { matchesFilter } from '../../filter.ts';
import { type PackedMeta, tierNumber, unpackMeta } from '../../packing.ts';
import type { SegmentFilter, SegmentMeta } from '../../segments.ts';
import type { Row, Session } from '../database.ts';
import { keyOf } from '../keys.ts';
import type { ProjectRow } from './projects.ts';

/** A segment and its number: later additions have higher ones. */
export interface NumberedMeta {
  readonly seq: number;
  readonly meta: SegmentMeta;
}

export interface Condition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The segments of a project that a filter means, in the order in which they were added. */
export async function selectSegments(
  session: Session,
  project: ProjectRow,
  filter: SegmentFilter,
): Promise<NumberedMeta[]> {
  const rows = await readSegments(session, project, conditionOf(project.no, filter));
  return rows.filter(({ meta }) => matchesFilter(meta, filter));
}

/** All rows come as one text: taking a hundred thousand of them apart costs more than reading them. */
export async function readSegments(
  session: Session,
  project: ProjectRow,
  { sql, values }: Condition,
): Promise<NumberedMeta[]> {
  const entry = "'[' || seq || ',' || collections || ',' || meta || ']'";
  const row = await session.get(`SELECT string_agg(${entry}, ',') AS joined FROM segments WHERE ${sql}`, values);
  if (typeof row?.['joined'] !== 'string') return [];
  return (JSON.parse(`[${row['joined']}]`) as [number, number, PackedMeta][])
    .map(([seq, seen, packed]) => ({ seq, meta: unpackMeta(project.projectId, packed, seen, project) }))
    .sort((a, b) => a.seq - b.seq);
}

export function conditionOf(projectNo: number | undefined, filter: SegmentFilter): Condition {
  const { tier, taskId, file, type } = filter;
  const parts: [sql: string, value: unknown][] = [
    ['project = $', projectNo],
    ['tier = $', tier === undefined ? undefined : tierNumber(tier)],
    ['task = $', taskId === undefined || taskId === null ? undefined : keyOf(taskId)],
    ['file = $', file === undefined ? undefined : keyOf(file)],
    ['type = $', type === undefined ? undefined : keyOf(type)],
    ['pinned = $', filter.pinned],
    ['created >= $', filter.createdAfter],
    ['created <= $', filter.createdBefore],
    ['revision > $', filter.changedAfter],
    ['key = ANY($)', filter.ids?.map(keyOf)],
  ];
  const used = parts.filter(([, value]) => value !== undefined);
  const sql = used.map(([text], at) => text.replace('$', `$${at + 1}`));
  if (taskId === null) sql.push('task IS NULL');
  return { sql: ['TRUE', ...sql].join(' AND '), values: used.map(([, value]) => value) };
}

export async function readTexts(session: Session, seqs: readonly number[]): Promise<Map<number, string>> {
  const rows = await session.all('SELECT seq, encoding, text FROM segment_texts WHERE seq = ANY($1)', [seqs]);
  return new Map(rows.map((row) => [Number(row['seq']), textOf(row)]));
}

export function textOf(row: Row): string {
  return decodeText(row['text'] as Buffer, String(row['encoding']));
}
