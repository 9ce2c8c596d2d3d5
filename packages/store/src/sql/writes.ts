import { encodeText } from '../codec.ts';
import { facetsOf } from '../facets.ts';
import { packMeta, tierNumber } from '../packing.ts';
import { namedIn, type PlannedSegment, planWrites } from '../plan.ts';
import type { SegmentWrite, WriteOutcome } from '../segments.ts';
import { addDelta, type Cell, cellKey } from '../totals.ts';
import { wordsOf } from '../words.ts';
import { insertRows } from './insert.ts';
import { lockProject, type ProjectRow } from './projects.ts';
import { type NumberedMeta, readSegments, readTexts } from './rows.ts';
import { comparable, optionalKey, type Session } from './session.ts';

/** A handful of statements for each fifty writes. */
export async function writeSegments(
  session: Session,
  projectId: string,
  writes: readonly SegmentWrite[],
): Promise<WriteOutcome[]> {
  if (writes.length === 0) return [];
  const project = await lockProject(session, projectId);
  const known = await knownSegments(session, project, writes);
  const { outcomes, after } = planWrites(
    projectId,
    writes,
    Array.from(known.values(), ({ meta }) => meta),
  );
  if (after.size === 0) return [...outcomes];
  const deltas = new Map<string, Cell>();
  for (const [segmentId, planned] of after) addDelta(deltas, known.get(segmentId)?.meta, planned?.meta);
  const revision = project.revision + 1;
  const removed = [...after].flatMap(([id, planned]) => (planned === undefined ? (known.get(id)?.seq ?? []) : []));
  const kept = [...after.values()].flatMap((planned) => planned ?? []);
  await removeSegments(session, removed);
  await keepSegments(session, { ...project, revision }, kept, known);
  await addToTotals(session, project.no, [...deltas.values()]);
  await session.all('UPDATE projects SET revision = $1, renewed_at = $2 WHERE no = $3', [
    revision,
    removed.length > 0 ? revision : project.renewedAt,
    project.no,
  ]);
  return [...outcomes];
}

async function knownSegments(
  session: Session,
  project: ProjectRow,
  writes: readonly SegmentWrite[],
): Promise<Map<string, NumberedMeta>> {
  const { key, among } = session.dialect;
  const { ids, origins } = namedIn(writes);
  const by = async (column: string, names: readonly string[]): Promise<NumberedMeta[]> => {
    const where = { sql: `project = $1 AND ${among(column, '$2')}`, values: [project.no, names.map(key)] };
    return names.length === 0 ? [] : await readSegments(session, project, where);
  };
  const found = [...(await by('key', ids)), ...(await by('origin', origins))];
  return new Map(found.map((each) => [each.meta.segmentId, each]));
}

async function removeSegments(session: Session, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return;
  for (const table of ['segments', 'segment_texts']) {
    await session.all(`DELETE FROM ${table} WHERE ${session.dialect.among('seq', '$1')}`, [seqs]);
  }
  await session.dialect.removeWords(session, seqs);
}

const COLUMNS = 'project, key, revision, collections, origin, tier, type, task, file, pinned, created, meta';
const CHANGED = COLUMNS.split(', ')
  .slice(2)
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

async function keepSegments(
  session: Session,
  { no, revision, collections }: ProjectRow,
  kept: readonly PlannedSegment[],
  known: ReadonlyMap<string, NumberedMeta>,
): Promise<void> {
  const rows = kept.map(({ meta }) => [
    no,
    session.dialect.key(meta.segmentId),
    revision,
    collections,
    optionalKey(session, meta.originKey),
    tierNumber(meta.tier),
    session.dialect.key(meta.type),
    optionalKey(session, meta.taskId),
    optionalKey(session, meta.file),
    meta.pinned,
    meta.createdAt,
    packMeta(meta),
  ]);
  const upsert = `ON CONFLICT (project, key) DO UPDATE SET ${CHANGED} RETURNING seq, key`;
  const numbered = await insertRows(session, `segments (${COLUMNS})`, rows, upsert);
  const seqOf = new Map(numbered.map((row) => [comparable(row['key']), Number(row['seq'])]));
  const placed = kept.map((each, at) => ({ ...each, seq: seqOf.get(comparable(rows[at]?.[1])) ?? 0 }));
  await keepTexts(session, placed);
  await keepWords(session, no, placed, known);
}

interface Placed extends PlannedSegment {
  readonly seq: number;
}

async function keepTexts(session: Session, placed: readonly Placed[]): Promise<void> {
  const rows = placed.flatMap(({ seq, text }) => {
    if (text === undefined) return [];
    const { encoding, bytes } = encodeText(text);
    return [[seq, encoding, bytes]];
  });
  const upsert = 'ON CONFLICT (seq) DO UPDATE SET encoding = excluded.encoding, text = excluded.text';
  await insertRows(session, 'segment_texts (seq, encoding, text)', rows, upsert);
}

/** Brings the words of segments up to date where a text or a facet changed. */
async function keepWords(
  session: Session,
  projectNo: number,
  placed: readonly Placed[],
  known: ReadonlyMap<string, NumberedMeta>,
): Promise<void> {
  const stale = placed.filter(({ meta, text }) => {
    const before = known.get(meta.segmentId)?.meta;
    if (text !== undefined || before === undefined) return true;
    return facetsOf(projectNo, before).join(' ') !== facetsOf(projectNo, meta).join(' ');
  });
  if (stale.length === 0) return;
  const unread = stale.filter(({ text }) => text === undefined).map(({ seq }) => seq);
  const texts = unread.length === 0 ? new Map<number, string>() : await readTexts(session, unread);
  const lines = stale.map(({ seq, meta, text }) => ({
    seq,
    line: [...facetsOf(projectNo, meta), ...wordsOf(text ?? texts.get(seq) ?? '')].join(' '),
    known: known.has(meta.segmentId),
  }));
  await session.dialect.keepWords(session, projectNo, lines);
}

async function addToTotals(session: Session, projectNo: number, deltas: readonly Cell[]): Promise<void> {
  const cells = deltas.filter(({ segments, tokens }) => segments !== 0 || tokens !== 0);
  if (cells.length === 0) return;
  const rows = cells.map((cell) => {
    const name = cellKey(cell);
    return [projectNo, session.dialect.key(name), name, cell.segments, cell.tokens];
  });
  await insertRows(
    session,
    'segment_totals AS held (project, key, cell, segments, tokens)',
    rows,
    `ON CONFLICT (project, key) DO UPDATE
       SET segments = held.segments + excluded.segments, tokens = held.tokens + excluded.tokens`,
  );
  await session.all('DELETE FROM segment_totals WHERE project = $1 AND segments = 0', [projectNo]);
}
