import { type Collections, packText, unpackText } from '../packing.ts';
import type { ProjectState, ProjectSummary } from '../segments.ts';
import { type Cell, sumCells } from '../totals.ts';
import type { Row, Session } from './session.ts';

/** A project as the database knows it. */
export interface ProjectRow extends ProjectState, Collections {
  readonly no: number;
  readonly projectId: string;
}

export const COLUMNS: string = 'no, id, revision, renewed_at, collections, old_after, current_task';

export async function findProject(session: Session, projectId: string): Promise<ProjectRow | undefined> {
  const row = await session.get(`SELECT ${COLUMNS} FROM projects WHERE key = $1`, [session.dialect.key(projectId)]);
  return row === undefined ? undefined : toProject(row);
}

/** The project, made if it is new, and locked: one transaction at a time writes to it. */
export async function lockProject(session: Session, projectId: string): Promise<ProjectRow> {
  const lock = `SELECT ${COLUMNS} FROM projects WHERE key = $1 ${session.dialect.locked}`;
  const known = await session.get(lock, [session.dialect.key(projectId)]);
  if (known !== undefined) return toProject(known);
  await session.all('INSERT INTO projects (key, id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    session.dialect.key(projectId),
    packText(projectId),
  ]);
  return toProject((await session.get(lock, [session.dialect.key(projectId)])) as Row);
}

/** The projects meant: the one, or all. */
export async function projectsMeant(session: Session, projectId: string | undefined): Promise<ProjectRow[]> {
  if (projectId === undefined) return (await session.all(`SELECT ${COLUMNS} FROM projects`)).map(toProject);
  return [await findProject(session, projectId)].flatMap((project) => project ?? []);
}

export async function summarizeProjects(session: Session): Promise<ProjectSummary[]> {
  const cells = new Map<number, Cell[]>();
  for (const row of await session.all('SELECT project, cell, segments, tokens FROM segment_totals')) {
    const no = Number(row['project']);
    cells.set(no, [...(cells.get(no) ?? []), toCell(row)]);
  }
  const rows = await session.all('SELECT DISTINCT project FROM snapshots');
  const withSnapshots = new Set(rows.map((row) => Number(row['project'])));
  return (await projectsMeant(session, undefined))
    .filter(({ no, currentTask }) => cells.has(no) || withSnapshots.has(no) || currentTask !== undefined)
    .map(({ no, projectId, revision, renewedAt, collections, currentTask }) => {
      const { byTier } = sumCells(cells.get(no) ?? [], {});
      return { projectId, revision, renewedAt, collections, currentTask, byTier };
    })
    .sort((a, b) => (a.projectId < b.projectId ? -1 : 1));
}

export async function setTask(
  session: Session,
  projectId: string,
  taskId: string | undefined,
): Promise<string | undefined> {
  const { no, currentTask } = await lockProject(session, projectId);
  const packed = taskId === undefined ? null : packText(taskId);
  await session.all('UPDATE projects SET current_task = $1 WHERE no = $2', [packed, no]);
  return currentTask;
}

/** Whatever was working has survived: counted once here and added when a segment is read (see packing.ts). */
export async function countCollection(session: Session, projectId: string, oldAfter: number): Promise<void> {
  const { no } = await lockProject(session, projectId);
  await session.all('UPDATE projects SET collections = collections + 1, old_after = $1 WHERE no = $2', [oldAfter, no]);
}

export function toCell(row: Row): Cell {
  const [tier, type, taskId, pinned] = JSON.parse(String(row['cell'])) as [
    Cell['tier'],
    string,
    string | null,
    boolean,
  ];
  const counted = { segments: Number(row['segments']), tokens: Number(row['tokens']) };
  return { tier, type, taskId: taskId ?? undefined, pinned, ...counted };
}

export function toProject(row: Row): ProjectRow {
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
