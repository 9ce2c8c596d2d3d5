import { Buffer } from 'node:buffer';
import { decodeText } from '../../codec.ts';
import { matchesFilter } from '../../filter.ts';
import { type PackedMeta, packText, tierNumber, unpackMeta } from '../../packing.ts';
import type { SegmentFilter, SegmentMeta } from '../../segments.ts';
import type { Connection, SqlValue } from '../connection.ts';
import { allProjects, findProject, type ProjectRow } from './projects.ts';

/** A segment and its number: later additions have higher ones. */
export interface NumberedMeta {
  readonly seq: number;
  readonly meta: SegmentMeta;
}

export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** The projects meant: the one, or all. */
export function projectsMeant(db: Connection, projectId: string | undefined): ProjectRow[] {
  if (projectId === undefined) return allProjects(db);
  return [findProject(db, projectId)].flatMap((project) => project ?? []);
}

/** The segments of a project that a filter means, in the order in which they were added. */
export function selectSegments(db: Connection, project: ProjectRow, filter: SegmentFilter): NumberedMeta[] {
  const where = conditionOf(project.no, filter);
  return readSegments(db, project, where).filter(({ meta }) => matchesFilter(meta, filter));
}

/**
 * All rows come as one value: a call into the WebAssembly build costs more than the value it brings. As bytes, since
 * that build looks for the end of a text byte by byte.
 */
export function readSegments(
  db: Connection,
  project: ProjectRow,
  { sql, values }: Condition,
  from = 'segments',
): NumberedMeta[] {
  const entry = "'[' || seq || ',' || collections || ',' || meta || ']'";
  const all = `SELECT CAST(group_concat(${entry}) AS BLOB) AS joined FROM ${from} WHERE ${sql}`;
  const joined = db.get(all, values)?.['joined'];
  if (!(joined instanceof Uint8Array)) return [];
  const text = Buffer.from(joined.buffer, joined.byteOffset, joined.byteLength).toString('utf8');
  return (JSON.parse(`[${text}]`) as [number, number, PackedMeta][])
    .map(([seq, seen, packed]) => ({ seq, meta: unpackMeta(project.projectId, packed, seen, project) }))
    .sort((a, b) => a.seq - b.seq);
}

export function conditionOf(projectNo: number | undefined, filter: SegmentFilter): Condition {
  const parts: [sql: string, value: SqlValue | undefined][] = [
    ['project = ?', projectNo],
    ['tier = ?', filter.tier === undefined ? undefined : tierNumber(filter.tier)],
    ['task IS ?', filter.taskId === undefined ? undefined : filter.taskId === null ? null : packText(filter.taskId)],
    ['file = ?', filter.file === undefined ? undefined : packText(filter.file)],
    ['type = ?', filter.type === undefined ? undefined : packText(filter.type)],
    ['pinned = ?', filter.pinned === undefined ? undefined : Number(filter.pinned)],
    ['created >= ?', filter.createdAfter],
    ['created <= ?', filter.createdBefore],
    ['revision > ?', filter.changedAfter],
    ['id IN (SELECT value FROM json_each(?))', filter.ids === undefined ? undefined : idList(filter.ids)],
  ];
  const used = parts.filter((part): part is [string, SqlValue] => part[1] !== undefined);
  return { sql: ['TRUE', ...used.map(([sql]) => sql)].join(' AND '), values: used.map(([, value]) => value) };
}

export function readTexts(db: Connection, seqs: readonly number[]): Map<number, string> {
  const rows = db.all('SELECT seq, encoding, text FROM segment_texts WHERE seq IN (SELECT value FROM json_each(?))', [
    JSON.stringify(seqs),
  ]);
  return new Map(
    rows.map((row) => [Number(row['seq']), decodeText(row['text'] as Uint8Array, String(row['encoding']))]),
  );
}

/** Packed ids as one value; `json_each` gives them back one by one. */
export function idList(ids: readonly string[]): string {
  return JSON.stringify(ids.map(packText));
}
