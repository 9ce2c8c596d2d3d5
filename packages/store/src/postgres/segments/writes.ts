import { encodeText } from '../../codec.ts';
import { facetsOf } from '../../facets.ts';
import { packMeta, tierNumber } from '../../packing.ts';
import { namedIn, type PlannedSegment, planWrites } from '../../plan.ts';
import type { SegmentWrite, WriteOutcome } from '../../segments.ts';
import { addDelta, type Cell, cellKey } from '../../totals.ts';
import { wordsOf } from '../../words.ts';
import type { Session } from '../database.ts';
import { keyOf, optionalKey } from '../keys.ts';
import { lockProject, type ProjectRow } from './projects.ts';
import { type NumberedMeta, readSegments, readTexts } from './rows.ts';

/** A handful of statements, however many writes there are. */
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
  const { ids, origins } = namedIn(writes);
  const found = await readSegments(session, project, {
    sql: 'project = $1 AND (key = ANY($2) OR origin = ANY($3))',
    values: [project.no, ids.map(keyOf), origins.map(keyOf)],
  });
  return new Map(found.map((each) => [each.meta.segmentId, each]));
}

async function removeSegments(session: Session, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return;
  for (const table of ['segments', 'segment_texts', 'segment_words']) {
    await session.all(`DELETE FROM ${table} WHERE seq = ANY($1)`, [seqs]);
  }
}

async function keepSegments(
  session: Session,
  project: ProjectRow,
  kept: readonly PlannedSegment[],
  known: ReadonlyMap<string, NumberedMeta>,
): Promise<void> {
  if (kept.length === 0) return;
  const metas = kept.map(({ meta }) => meta);
  const rows = await session.all(
    `INSERT INTO segments (project, revision, collections, key, origin, tier, type, task, file, pinned, created, meta)
     SELECT $1, $2, $3, key, origin, tier, type, task, file, pinned, created, meta
     FROM unnest($4::bytea[], $5::bytea[], $6::smallint[], $7::bytea[], $8::bytea[], $9::bytea[], $10::boolean[],
                 $11::double precision[], $12::text[]) WITH ORDINALITY
       AS given (key, origin, tier, type, task, file, pinned, created, meta, place)
     ORDER BY place
     ON CONFLICT (project, key) DO UPDATE SET
       (revision, collections, origin, tier, type, task, file, pinned, created, meta) =
       (excluded.revision, excluded.collections, excluded.origin, excluded.tier, excluded.type, excluded.task,
        excluded.file, excluded.pinned, excluded.created, excluded.meta)
     RETURNING seq, encode(key, 'hex') AS key`,
    [
      project.no,
      project.revision,
      project.collections,
      metas.map(({ segmentId }) => keyOf(segmentId)),
      metas.map(({ originKey }) => optionalKey(originKey)),
      metas.map(({ tier }) => tierNumber(tier)),
      metas.map(({ type }) => keyOf(type)),
      metas.map(({ taskId }) => optionalKey(taskId)),
      metas.map(({ file }) => optionalKey(file)),
      metas.map(({ pinned }) => pinned),
      metas.map(({ createdAt }) => createdAt),
      metas.map(packMeta),
    ],
  );
  const seqOf = new Map(rows.map((row) => [String(row['key']), Number(row['seq'])]));
  const placed = kept.map((each) => ({ ...each, seq: seqOf.get(keyOf(each.meta.segmentId).toString('hex')) ?? 0 }));
  await keepTexts(session, placed);
  await keepWords(session, project.no, placed, known);
}

interface Placed extends PlannedSegment {
  readonly seq: number;
}

async function keepTexts(session: Session, placed: readonly Placed[]): Promise<void> {
  const texts = placed.flatMap(({ seq, text }) => (text === undefined ? [] : [{ seq, ...encodeText(text) }]));
  if (texts.length === 0) return;
  await session.all(
    `INSERT INTO segment_texts (seq, encoding, text)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[])
     ON CONFLICT (seq) DO UPDATE SET encoding = excluded.encoding, text = excluded.text`,
    [texts.map(({ seq }) => seq), texts.map(({ encoding }) => encoding), texts.map(({ bytes }) => bytes)],
  );
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
  const lines = stale.map(({ seq, meta, text }) =>
    [...facetsOf(projectNo, meta), ...wordsOf(text ?? texts.get(seq) ?? '')].join(' '),
  );
  await session.all(
    `INSERT INTO segment_words (seq, project, words)
     SELECT seq, $1, array_to_tsvector(string_to_array(line, ' ')) FROM unnest($2::bigint[], $3::text[]) AS given (seq, line)
     ON CONFLICT (seq) DO UPDATE SET words = excluded.words`,
    [projectNo, stale.map(({ seq }) => seq), lines],
  );
}

async function addToTotals(session: Session, projectNo: number, deltas: readonly Cell[]): Promise<void> {
  const cells = deltas.filter(({ segments, tokens }) => segments !== 0 || tokens !== 0);
  if (cells.length === 0) return;
  const names = cells.map(cellKey);
  await session.all(
    `INSERT INTO segment_totals AS held (project, key, cell, segments, tokens)
     SELECT $1, * FROM unnest($2::bytea[], $3::text[], $4::bigint[], $5::double precision[])
     ON CONFLICT (project, key) DO UPDATE
       SET segments = held.segments + excluded.segments, tokens = held.tokens + excluded.tokens`,
    [projectNo, names.map(keyOf), names, cells.map(({ segments }) => segments), cells.map(({ tokens }) => tokens)],
  );
  await session.all('DELETE FROM segment_totals WHERE project = $1 AND segments = 0', [projectNo]);
}
