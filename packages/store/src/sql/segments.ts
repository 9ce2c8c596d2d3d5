import type { SegmentStore } from '../segments.ts';
import { countCollection, findProject, setTask, summarizeProjects } from './projects.ts';
import { listSegments, newestSegments, textsOf, totalsOf } from './reads.ts';
import type { Transactions, Work } from './session.ts';
import { createSnapshot, listSnapshots, readSnapshot, removeSnapshot } from './snapshots.ts';
import { writeSegments } from './writes.ts';

/** Segments in a database, each call a transaction of its own. */
export function createSegments(database: Transactions, url: string): SegmentStore {
  const run = <T>(work: Work<T>): Promise<T> => database.transaction(work);
  return {
    url,
    projects: () => run(summarizeProjects),
    project: (projectId) =>
      run(async (session) => {
        const found = await findProject(session, projectId);
        const { revision = 0, renewedAt = 0, collections = 0, currentTask } = found ?? {};
        return { revision, renewedAt, collections, currentTask };
      }),
    setCurrentTask: (projectId, taskId) => run((session) => setTask(session, projectId, taskId)),
    write: (projectId, writes) => run((session) => writeSegments(session, projectId, writes)),
    recordCollection: (projectId, oldAfter) => run((session) => countCollection(session, projectId, oldAfter)),
    totals: (projectId, filter = {}) => run((session) => totalsOf(session, projectId, filter)),
    list: (projectId, filter = {}) => run((session) => listSegments(session, projectId, filter)),
    texts: (projectId, segmentIds) => database.read((session) => textsOf(session, projectId, segmentIds)),
    search: (request) => run((session) => session.dialect.search(session, request)),
    newest: (request) => run((session) => newestSegments(session, request)),
    createSnapshot: (projectId, draft, filter) => run((session) => createSnapshot(session, projectId, draft, filter)),
    snapshots: (projectId, taskId) => run((session) => listSnapshots(session, projectId, taskId)),
    snapshot: (projectId, snapshotId) => run((session) => readSnapshot(session, projectId, snapshotId)),
    removeSnapshot: (projectId, snapshotId) => run((session) => removeSnapshot(session, projectId, snapshotId)),
    close: () => database.close(),
  };
}
