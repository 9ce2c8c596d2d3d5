import { encodeText } from '../../codec.ts';
import { facetsOf } from '../../facets.ts';
import { packMeta, packText, tierNumber } from '../../packing.ts';
import { namedIn, type PlannedSegment, planWrites } from '../../plan.ts';
import type { SegmentMeta, SegmentWrite, WriteOutcome } from '../../segments.ts';
import { addDelta, type Cell } from '../../totals.ts';
import { wordsOf } from '../../words.ts';
import type { Connection } from '../connection.ts';
import { ensureProject, type ProjectRow } from './projects.ts';
import { idList, type NumberedMeta, readSegments, readTexts } from './rows.ts';

/** Needs a transaction around it. */
export function writeSegments(db: Connection, projectId: string, writes: readonly SegmentWrite[]): WriteOutcome[] {
  if (writes.length === 0) return [];
  const project = ensureProject(db, projectId);
  const known = knownSegments(db, project, writes);
  const { outcomes, after } = planWrites(
    projectId,
    writes,
    Array.from(known.values(), ({ meta }) => meta),
  );
  const deltas = new Map<string, Cell>();
  const revision = project.revision + 1;
  let removed = false;
  for (const [segmentId, planned] of after) {
    const before = known.get(segmentId);
    addDelta(deltas, before?.meta, planned?.meta);
    if (planned !== undefined) keep(db, { ...project, revision }, planned, before);
    else if (before !== undefined) {
      remove(db, before.seq);
      removed = true;
    }
  }
  for (const cell of deltas.values()) addToTotals(db, project.no, cell);
  if (after.size > 0) {
    const renewedAt = removed ? revision : project.renewedAt;
    db.run('UPDATE projects SET revision = ?, renewed_at = ? WHERE no = ?', [revision, renewedAt, project.no]);
  }
  return [...outcomes];
}

function knownSegments(
  db: Connection,
  project: ProjectRow,
  writes: readonly SegmentWrite[],
): Map<string, NumberedMeta> {
  const { ids, origins } = namedIn(writes);
  const by = (column: 'id' | 'origin', names: readonly string[]): NumberedMeta[] =>
    names.length === 0
      ? []
      : readSegments(db, project, {
          sql: `project = ? AND ${column} IN (SELECT value FROM json_each(?))`,
          values: [project.no, idList(names)],
        });
  return new Map([...by('id', ids), ...by('origin', origins)].map((each) => [each.meta.segmentId, each]));
}

function keep(db: Connection, project: ProjectRow, { meta, text }: PlannedSegment, before?: NumberedMeta): void {
  const row = [
    project.no,
    packText(meta.segmentId),
    meta.originKey === undefined ? null : packText(meta.originKey),
    tierNumber(meta.tier),
    packText(meta.type),
    meta.taskId === undefined ? null : packText(meta.taskId),
    meta.file === undefined ? null : packText(meta.file),
    Number(meta.pinned),
    meta.createdAt,
    project.revision,
    project.collections,
    packMeta(meta),
  ];
  const columns = 'project, id, origin, tier, type, task, file, pinned, created, revision, collections, meta';
  const marks = '?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?';
  if (before === undefined) db.run(`INSERT INTO segments (${columns}) VALUES (${marks})`, row);
  else db.run(`UPDATE segments SET (${columns}) = (${marks}) WHERE seq = ?`, [...row, before.seq]);
  const seq = before?.seq ?? Number(db.get('SELECT last_insert_rowid() AS seq')?.['seq']);
  if (text !== undefined) {
    const { bytes, encoding } = encodeText(text);
    db.run('INSERT OR REPLACE INTO segment_texts (seq, encoding, text) VALUES (?, ?, ?)', [seq, encoding, bytes]);
  }
  index(db, project.no, { seq, meta }, { text, before: before?.meta });
}

/** Brings the words of a segment up to date where its text or a facet changed. */
function index(
  db: Connection,
  projectNo: number,
  { seq, meta }: NumberedMeta,
  { text, before }: { text: string | undefined; before: SegmentMeta | undefined },
): void {
  const facets = facetsOf(projectNo, meta).join(' ');
  if (before !== undefined) {
    if (text === undefined && facetsOf(projectNo, before).join(' ') === facets) return;
    db.run('DELETE FROM segment_words WHERE rowid = ?', [seq]);
  }
  const words = wordsOf(text ?? readTexts(db, [seq]).get(seq) ?? '');
  db.run('INSERT INTO segment_words (rowid, line) VALUES (?, ?)', [seq, `${facets} ${words.join(' ')}`]);
}

function remove(db: Connection, seq: number): void {
  db.run('DELETE FROM segments WHERE seq = ?', [seq]);
  db.run('DELETE FROM segment_texts WHERE seq = ?', [seq]);
  db.run('DELETE FROM segment_words WHERE rowid = ?', [seq]);
}

/** A task of none is the empty text, which no packed one is: what is absent never equals itself in a key. */
function addToTotals(db: Connection, projectNo: number, { tier, type, taskId, pinned, segments, tokens }: Cell): void {
  if (segments === 0 && tokens === 0) return;
  const key = [
    projectNo,
    tierNumber(tier),
    packText(type),
    taskId === undefined ? '' : packText(taskId),
    Number(pinned),
  ];
  db.run(
    `INSERT INTO segment_totals (project, tier, type, task, pinned, segments, tokens) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET segments = segments + excluded.segments, tokens = tokens + excluded.tokens`,
    [...key, segments, tokens],
  );
  db.run(
    'DELETE FROM segment_totals WHERE segments = 0 AND project = ? AND tier = ? AND type = ? AND task = ? AND pinned = ?',
    key,
  );
}
