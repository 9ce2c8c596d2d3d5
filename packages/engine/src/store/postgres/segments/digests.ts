import { Buffer } from 'node:buffer';
import type { ProjectDigest } from '../../segments.ts';
import type { Session } from '../database.ts';
import { keyOf } from '../keys.ts';
import { findProject, lockProject } from './projects.ts';

export async function readDigest(session: Session, projectId: string): Promise<ProjectDigest | undefined> {
  const row = await session.get(
    'SELECT digests.revision, bytes FROM digests JOIN projects ON no = project WHERE key = $1',
    [keyOf(projectId)],
  );
  if (row === undefined) return undefined;
  return { revision: Number(row['revision']), bytes: Buffer.from(String(row['bytes']), 'base64') };
}

export async function keepDigest(
  session: Session,
  projectId: string,
  { revision, bytes }: ProjectDigest,
): Promise<void> {
  if ((await findProject(session, projectId)) === undefined) return;
  // Nobody may remove a segment between this look and the end: what is gone would live on.
  const project = await lockProject(session, projectId);
  if (revision < project.renewedAt) return;
  await session.all(
    `INSERT INTO digests (project, revision, bytes) VALUES ($1, $2, $3)
     ON CONFLICT (project) DO UPDATE SET revision = excluded.revision, bytes = excluded.bytes
     WHERE excluded.revision >= digests.revision`,
    [project.no, revision, Buffer.from(bytes).toString('base64')],
  );
}

export async function removeDigest(session: Session, projectNo: number): Promise<void> {
  await session.all('DELETE FROM digests WHERE project = $1', [projectNo]);
}
