import type { SegmentStore } from '../../segments.ts';
import type { Submit } from '../turns.ts';
import { countCollection, findProject, setTask, summarizeProjects } from './projects.ts';
import { listSegments, newestSegments, textsOf, totalsOf } from './reads.ts';
import { searchSegments } from './search.ts';
import { createSnapshot, listSnapshots, readSnapshot, removeSnapshot } from './snapshots.ts';
import { writeSegments } from './writes.ts';

/** Segments in the one file, each call a job of its own. */
export function createSqliteSegments(url: string, submit: Submit, close: () => Promise<void>): SegmentStore {
  return {
    url,
    projects: () => submit(summarizeProjects),
    project: (projectId) =>
      submit((db) => {
        const { revision = 0, renewedAt = 0, collections = 0, currentTask } = findProject(db, projectId) ?? {};
        return { revision, renewedAt, collections, currentTask };
      }),
    setCurrentTask: (projectId, taskId) => submit((db) => setTask(db, projectId, taskId)),
    write: (projectId, writes) => submit((db) => writeSegments(db, projectId, writes)),
    recordCollection: (projectId, oldAfter) => submit((db) => countCollection(db, projectId, oldAfter)),
    totals: (projectId, filter = {}) => submit((db) => totalsOf(db, projectId, filter)),
    list: (projectId, filter = {}) => submit((db) => listSegments(db, projectId, filter)),
    texts: (projectId, segmentIds) => submit((db) => textsOf(db, projectId, segmentIds)),
    search: (request) => submit((db) => searchSegments(db, request)),
    newest: (request) => submit((db) => newestSegments(db, request)),
    createSnapshot: (projectId, draft, filter) => submit((db) => createSnapshot(db, projectId, draft, filter)),
    snapshots: (projectId, taskId) => submit((db) => listSnapshots(db, projectId, taskId)),
    snapshot: (projectId, snapshotId) => submit((db) => readSnapshot(db, projectId, snapshotId)),
    removeSnapshot: (projectId, snapshotId) => submit((db) => removeSnapshot(db, projectId, snapshotId)),
    close,
  };
}
