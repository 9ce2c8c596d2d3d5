import { Buffer } from 'node:buffer';
import { decodeText } from '../codec.ts';
import { matchesFilter } from '../filter.ts';
import { type PackedMeta, tierNumber, unpackMeta } from '../packing.ts';
import type { SegmentFilter, SegmentMeta } from '../segments.ts';
import type { ProjectRow } from './projects.ts';
import type { Dialect, Row, Session } from './session.ts';

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
  const rows = await readSegments(session, project, conditionOf(session.dialect, project.no, filter));
  return rows.filter(({ meta }) => matchesFilter(meta, filter));
}

/** All rows come as one value: taking thousands of them apart costs more than reading them. */
export async function readSegments(
  session: Session,
  project: ProjectRow,
  { sql, values }: Condition,
  from = 'segments',
): Promise<NumberedMeta[]> {
  const entry = "'[' || seq || ',' || collections || ',' || meta || ']'";
  const row = await session.get(`SELECT ${session.dialect.joined(entry)} AS joined FROM ${from} WHERE ${sql}`, values);
  return (JSON.parse(`[${joinedText(row)}]`) as [number, number, PackedMeta][])
    .map(([seq, seen, packed]) => ({ seq, meta: unpackMeta(project.projectId, packed, seen, project) }))
    .sort((a, b) => a.seq - b.seq);
}

/** What a dialect joined; nothing when there was no row. */
export function joinedText(row: Row | undefined): string {
  const joined = row?.['joined'];
  if (joined instanceof Uint8Array) return Buffer.from(joined.buffer, joined.byteOffset, joined.length).toString();
  return typeof joined === 'string' ? joined : '';
}

/** Parameters are numbered from `first` on. */
export function conditionOf(
  { key, among }: Dialect,
  projectNo: number | undefined,
  filter: SegmentFilter,
  first = 1,
): Condition {
  const { tier, taskId, file, type } = filter;
  const parts: [sql: string, value: unknown][] = [
    ['project = $', projectNo],
    ['tier = $', tier === undefined ? undefined : tierNumber(tier)],
    ['task = $', taskId === undefined || taskId === null ? undefined : key(taskId)],
    ['file = $', file === undefined ? undefined : key(file)],
    ['type = $', type === undefined ? undefined : key(type)],
    ['pinned = $', filter.pinned],
    ['created >= $', filter.createdAfter],
    ['created <= $', filter.createdBefore],
    ['revision > $', filter.changedAfter],
    [among('key', '$'), filter.ids?.map(key)],
  ];
  const used = parts.filter(([, value]) => value !== undefined);
  const sql = used.map(([text], at) => text.replace('$', `$${at + first}`));
  if (taskId === null) sql.push('task IS NULL');
  return { sql: ['TRUE', ...sql].join(' AND '), values: used.map(([, value]) => value) };
}

export async function readTexts(session: Session, seqs: readonly number[]): Promise<Map<number, string>> {
  const rows = await session.all(
    `SELECT seq, encoding, text FROM segment_texts WHERE ${session.dialect.among('seq', '$1')}`,
    [seqs],
  );
  return new Map(rows.map((row) => [Number(row['seq']), textOf(row)]));
}

export function textOf(row: Row): string {
  return decodeText(row['text'] as Uint8Array, String(row['encoding']));
}
