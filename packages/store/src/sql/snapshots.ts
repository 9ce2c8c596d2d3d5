import { decodeText } from '../codec.ts';
import { type PackedMeta, packMeta, packText, unpackMeta, unpackText } from '../packing.ts';
import type { SegmentFilter, Snapshot, SnapshotDraft, SnapshotInfo } from '../segments.ts';
import { snapshotTaken, totalsOf } from '../snapshots.ts';
import { findProject, lockProject } from './projects.ts';
import { type NumberedMeta, selectSegments } from './rows.ts';
import type { Row, Session } from './session.ts';

const COLUMNS = 'no, id, task, name, created, segments, tokens';

/** Copies segments and their texts, so that nothing that happens to them later changes the snapshot. */
export async function createSnapshot(
  session: Session,
  projectId: string,
  draft: SnapshotDraft,
  filter: SegmentFilter,
): Promise<SnapshotInfo> {
  const project = await lockProject(session, projectId);
  if ((await findSnapshot(session, project.no, draft.snapshotId)) !== undefined) throw snapshotTaken(draft.snapshotId);
  const found = await selectSegments(session, project, filter);
  const totals = totalsOf(found.map(({ meta }) => meta));
  const { snapshotId, taskId, name, createdAt } = draft;
  const row = await session.get(
    `INSERT INTO snapshots (project, key, id, task, name, created, segments, tokens)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING no`,
    [
      project.no,
      session.dialect.key(snapshotId),
      packText(snapshotId),
      taskId === undefined ? null : packText(taskId),
      name === undefined ? null : packText(name),
      createdAt,
      totals.segments,
      totals.tokens,
    ],
  );
  await copySegments(session, Number(row?.['no']), found);
  return { projectId, ...draft, ...totals };
}

/** So many at most are named by one statement: both databases bound the number of parameters. */
const COPIED_AT_ONCE = 50;

/** The texts do not leave the database. */
async function copySegments(session: Session, snapshotNo: number, found: readonly NumberedMeta[]): Promise<void> {
  for (let start = 0; start < found.length; start += COPIED_AT_ONCE) {
    const some = found.slice(start, start + COPIED_AT_ONCE);
    const given = some.map(
      (_, at) => `(CAST($${3 * at + 2} AS bigint), CAST($${3 * at + 3} AS integer), $${3 * at + 4})`,
    );
    await session.all(
      `INSERT INTO snapshot_segments (snapshot, place, meta, encoding, text)
       SELECT CAST($1 AS bigint), column2, column3, encoding, text
       FROM (VALUES ${given.join(', ')}) AS given JOIN segment_texts ON seq = column1`,
      [snapshotNo, ...some.flatMap(({ seq, meta }, at) => [seq, start + at, packMeta(meta)])],
    );
  }
}

export async function listSnapshots(
  session: Session,
  projectId: string,
  taskId: string | undefined,
): Promise<SnapshotInfo[]> {
  const project = await findProject(session, projectId);
  if (project === undefined) return [];
  const rows = await session.all(`SELECT ${COLUMNS} FROM snapshots WHERE project = $1 ORDER BY created DESC, no DESC`, [
    project.no,
  ]);
  return rows
    .map((row) => toInfo(projectId, row))
    .filter((snapshot) => taskId === undefined || snapshot.taskId === taskId);
}

export async function readSnapshot(
  session: Session,
  projectId: string,
  snapshotId: string,
): Promise<Snapshot | undefined> {
  const project = await findProject(session, projectId);
  const row = project === undefined ? undefined : await findSnapshot(session, project.no, snapshotId);
  if (row === undefined) return undefined;
  const rows = await session.all(
    'SELECT meta, encoding, text FROM snapshot_segments WHERE snapshot = $1 ORDER BY place',
    [row['no']],
  );
  // What a segment had survived was fixed when it was copied: no later collection counts for it.
  const contents = rows.map(({ meta, encoding, text }) => {
    const packed = JSON.parse(String(meta)) as PackedMeta;
    const unpacked = unpackMeta(projectId, packed, 0, { collections: 0, oldAfter: 0 });
    return Object.assign(unpacked, { text: decodeText(text as Uint8Array, String(encoding)) });
  });
  return { ...toInfo(projectId, row), contents };
}

export async function removeSnapshot(session: Session, projectId: string, snapshotId: string): Promise<boolean> {
  const project = await findProject(session, projectId);
  const row = project === undefined ? undefined : await findSnapshot(session, project.no, snapshotId);
  if (row === undefined) return false;
  await session.all('DELETE FROM snapshot_segments WHERE snapshot = $1', [row['no']]);
  await session.all('DELETE FROM snapshots WHERE no = $1', [row['no']]);
  return true;
}

async function findSnapshot(session: Session, projectNo: number, snapshotId: string): Promise<Row | undefined> {
  return await session.get(`SELECT ${COLUMNS} FROM snapshots WHERE project = $1 AND key = $2`, [
    projectNo,
    session.dialect.key(snapshotId),
  ]);
}

function toInfo(projectId: string, row: Row): SnapshotInfo {
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
