import { packText } from '../../packing.ts';
import type { ProjectDigest } from '../../segments.ts';
import type { Connection } from '../port.ts';
import { findProject } from './projects.ts';

export function readDigest(db: Connection, projectId: string): ProjectDigest | undefined {
  const row = db.get('SELECT digests.revision, bytes FROM digests JOIN projects ON no = project WHERE id = ?', [
    packText(projectId),
  ]);
  return row === undefined ? undefined : { revision: Number(row['revision']), bytes: row['bytes'] as Uint8Array };
}

/** Needs a transaction around it. */
export function keepDigest(db: Connection, projectId: string, { revision, bytes }: ProjectDigest): void {
  const project = findProject(db, projectId);
  if (project === undefined || revision < project.renewedAt) return;
  db.run(
    `INSERT INTO digests (project, revision, bytes) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET revision = excluded.revision, bytes = excluded.bytes
     WHERE excluded.revision >= digests.revision`,
    [project.no, revision, bytes],
  );
}

export function removeDigest(db: Connection, projectNo: number): void {
  db.run('DELETE FROM digests WHERE project = ?', [projectNo]);
}
