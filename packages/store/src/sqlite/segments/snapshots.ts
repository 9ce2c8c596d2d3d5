import { decodeText } from '../../codec.ts';
import { type PackedMeta, packMeta, packText, unpackMeta, unpackText } from '../../packing.ts';
import type { SegmentFilter, Snapshot, SnapshotDraft, SnapshotInfo } from '../../segments.ts';
import { snapshotTaken, totalsOf } from '../../snapshots.ts';
import type { Connection, SqlRow } from '../connection.ts';
import { ensureProject, findProject } from './projects.ts';
import { selectSegments } from './rows.ts';

const COLUMNS = 'no, id, task, name, created, segments, tokens';

/** Copies segments and their texts, so that nothing that happens to them later changes the snapshot. */
export function createSnapshot(
  db: Connection,
  projectId: string,
  draft: SnapshotDraft,
  filter: SegmentFilter,
): SnapshotInfo {
  const project = ensureProject(db, projectId);
  if (findSnapshot(db, project.no, draft.snapshotId) !== undefined) throw snapshotTaken(draft.snapshotId);
  const found = selectSegments(db, project, filter);
  const totals = totalsOf(found.map(({ meta }) => meta));
  const { snapshotId, taskId, name, createdAt } = draft;
  db.run('INSERT INTO snapshots (project, id, task, name, created, segments, tokens) VALUES (?, ?, ?, ?, ?, ?, ?)', [
    project.no,
    packText(snapshotId),
    taskId === undefined ? null : packText(taskId),
    name === undefined ? null : packText(name),
    createdAt,
    totals.segments,
    totals.tokens,
  ]);
  const { no } = findSnapshot(db, project.no, snapshotId) as SqlRow;
  for (const [place, { seq, meta }] of found.entries()) {
    db.run(
      `INSERT INTO snapshot_segments (snapshot, place, meta, encoding, text)
       SELECT ?, ?, ?, encoding, text FROM segment_texts WHERE seq = ?`,
      [no ?? null, place, packMeta(meta), seq],
    );
  }
  return { projectId, ...draft, ...totals };
}

export function listSnapshots(db: Connection, projectId: string, taskId: string | undefined): SnapshotInfo[] {
  const project = findProject(db, projectId);
  if (project === undefined) return [];
  return db
    .all(`SELECT ${COLUMNS} FROM snapshots WHERE project = ? ORDER BY created DESC, no DESC`, [project.no])
    .map((row) => toInfo(projectId, row))
    .filter((snapshot) => taskId === undefined || snapshot.taskId === taskId);
}

export function readSnapshot(db: Connection, projectId: string, snapshotId: string): Snapshot | undefined {
  const project = findProject(db, projectId);
  const row = project === undefined ? undefined : findSnapshot(db, project.no, snapshotId);
  if (project === undefined || row === undefined) return undefined;
  const rows = db.all('SELECT meta, encoding, text FROM snapshot_segments WHERE snapshot = ? ORDER BY place', [
    row['no'] ?? null,
  ]);
  // What a segment had survived was fixed when it was copied: no later collection counts for it.
  const contents = rows.map(({ meta, encoding, text }) => {
    const packed = JSON.parse(String(meta)) as PackedMeta;
    const unpacked = unpackMeta(projectId, packed, 0, { collections: 0, oldAfter: 0 });
    return Object.assign(unpacked, { text: decodeText(text as Uint8Array, String(encoding)) });
  });
  return { ...toInfo(projectId, row), contents };
}

export function removeSnapshot(db: Connection, projectId: string, snapshotId: string): boolean {
  const project = findProject(db, projectId);
  const row = project === undefined ? undefined : findSnapshot(db, project.no, snapshotId);
  if (row === undefined) return false;
  db.run('DELETE FROM snapshot_segments WHERE snapshot = ?', [row['no'] ?? null]);
  db.run('DELETE FROM snapshots WHERE no = ?', [row['no'] ?? null]);
  return true;
}

function findSnapshot(db: Connection, projectNo: number, snapshotId: string): SqlRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM snapshots WHERE project = ? AND id = ?`, [projectNo, packText(snapshotId)]);
}

function toInfo(projectId: string, row: SqlRow): SnapshotInfo {
  const [id, task, name] = [row['id'], row['task'], row['name']];
  return {
    projectId,
    snapshotId: unpackText(String(id)),
    taskId: typeof task === 'string' ? unpackText(task) : undefined,
    name: typeof name === 'string' ? unpackText(name) : undefined,
    createdAt: Number(row['created']),
    segments: Number(row['segments']),
    tokens: Number(row['tokens']),
  };
}
