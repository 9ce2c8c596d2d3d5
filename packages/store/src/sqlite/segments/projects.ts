import { type Collections, packText, TIERS, unpackText } from '../../packing.ts';
import type { ProjectState, ProjectSummary, SegmentCount } from '../../segments.ts';
import type { Connection, SqlRow } from '../connection.ts';

/** A project as the database knows it. */
export interface ProjectRow extends ProjectState, Collections {
  readonly no: number;
  readonly projectId: string;
}

const COLUMNS = 'no, id, revision, renewed_at, collections, old_after, current_task';

export function findProject(db: Connection, projectId: string): ProjectRow | undefined {
  const row = db.get(`SELECT ${COLUMNS} FROM projects WHERE id = ?`, [packText(projectId)]);
  return row === undefined ? undefined : toProject(row);
}

/** The project, made if it is new. */
export function ensureProject(db: Connection, projectId: string): ProjectRow {
  const known = findProject(db, projectId);
  if (known !== undefined) return known;
  db.run('INSERT INTO projects (id) VALUES (?)', [packText(projectId)]);
  return findProject(db, projectId) as ProjectRow;
}

export function allProjects(db: Connection): ProjectRow[] {
  return db.all(`SELECT ${COLUMNS} FROM projects`).map(toProject);
}

export function summarizeProjects(db: Connection): ProjectSummary[] {
  const sums = new Map<number, Record<string, SegmentCount>>();
  for (const row of db.all(
    'SELECT project, tier, sum(segments) AS n, sum(tokens) AS tokens FROM segment_totals GROUP BY project, tier',
  )) {
    const project = sums.get(Number(row['project'])) ?? {};
    project[TIERS[Number(row['tier']) as 0 | 1]] = { segments: Number(row['n']), tokens: Number(row['tokens']) };
    sums.set(Number(row['project']), project);
  }
  const withSnapshots = new Set(db.all('SELECT DISTINCT project FROM snapshots').map((row) => Number(row['project'])));
  const none = { segments: 0, tokens: 0 };
  return allProjects(db)
    .map(({ no, projectId, revision, renewedAt, collections, currentTask }) => ({
      no,
      summary: {
        projectId,
        revision,
        renewedAt,
        collections,
        currentTask,
        byTier: { working: sums.get(no)?.['working'] ?? none, stashed: sums.get(no)?.['stashed'] ?? none },
      },
    }))
    .filter(({ no, summary: { byTier, currentTask } }) => {
      return (
        byTier.working.segments + byTier.stashed.segments > 0 || withSnapshots.has(no) || currentTask !== undefined
      );
    })
    .map(({ summary }) => summary)
    .sort((a, b) => (a.projectId < b.projectId ? -1 : 1));
}

export function setTask(db: Connection, projectId: string, taskId: string | undefined): string | undefined {
  const { no, currentTask } = ensureProject(db, projectId);
  const packed = taskId === undefined ? null : packText(taskId);
  db.run('UPDATE projects SET current_task = ? WHERE no = ?', [packed, no]);
  return currentTask;
}

/** Whatever was working has survived: counted once here and added when a segment is read (see packing.ts). */
export function countCollection(db: Connection, projectId: string, oldAfter: number): void {
  const { no } = ensureProject(db, projectId);
  db.run('UPDATE projects SET collections = collections + 1, old_after = ? WHERE no = ?', [oldAfter, no]);
}

function toProject(row: SqlRow): ProjectRow {
  const task = row['current_task'];
  return {
    no: Number(row['no']),
    projectId: unpackText(String(row['id'])),
    revision: Number(row['revision']),
    renewedAt: Number(row['renewed_at']),
    collections: Number(row['collections']),
    oldAfter: Number(row['old_after']),
    currentTask: typeof task === 'string' ? unpackText(task) : undefined,
  };
}
