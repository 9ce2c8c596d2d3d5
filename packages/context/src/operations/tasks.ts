import type { SegmentMeta, SnapshotInfo } from '@jeeves/store';
import { ContextError } from '../error.ts';
import { restoreSnapshot } from './restore.ts';
import type { Services } from './services.ts';
import { type GivenTexts, giveTexts } from './texts.ts';

export interface TaskRequest {
  readonly project: string;
  /** Absent: the current one. */
  readonly task?: string | undefined;
}

export interface WorkingSet {
  /** The segments touched last first, no more than asked for. */
  readonly metas: readonly SegmentMeta[];
  readonly tokens: number;
  readonly count: number;
}

/** What is in the window as far as it is known; of one task when asked. */
export async function workingSet(
  services: Services,
  { project, task, limit }: TaskRequest & { readonly limit: number },
): Promise<WorkingSet> {
  const { metas } = await services.projects.read(project);
  const own = task === undefined ? metas : metas.filter(({ taskId }) => taskId === task);
  return { metas: byTouch(own).slice(0, limit), tokens: tokensOf(own), count: own.length };
}

export interface TaskContextRequest extends TaskRequest {
  /** A snapshot whose working segments are put back into the working set first. */
  readonly restore?: string | undefined;
  readonly maxBytes: number;
}

export interface TaskContext extends GivenTexts {
  readonly task?: string | undefined;
  readonly current: boolean;
  readonly tokens: number;
  readonly count: number;
  readonly snapshots: readonly SnapshotInfo[];
  readonly restored?: readonly string[] | undefined;
  /** What a restore put aside: later texts of segments that are as they were again. */
  readonly setAside?: readonly string[] | undefined;
}

/** All segments of a task, stashed ones included, and its snapshots. */
export async function taskContext(services: Services, request: TaskContextRequest): Promise<TaskContext> {
  const { project, restore, maxBytes } = request;
  const { currentTask } = await services.store.project(project);
  const restored = restore === undefined ? undefined : await restoreSnapshot(services, project, restore, request.task);
  const task = request.task ?? restored?.task ?? currentTask;
  if (task === undefined) {
    const snapshots = await services.store.snapshots(project);
    return { current: false, tokens: 0, count: 0, segments: [], omitted: [], snapshots };
  }
  const metas = byTouch(await services.store.list(project, { taskId: task }));
  return {
    task,
    current: task === currentTask,
    tokens: tokensOf(metas),
    count: metas.length,
    ...(await giveTexts(services, metas, { maxBytes })),
    snapshots: await services.store.snapshots(project, task),
    ...(restored !== undefined && { restored: restored.ids, setAside: restored.setAside }),
  };
}

/** Copies the segments of a task as they are now. Snapshots are no segments, so none holds another. */
export async function createSnapshot(
  services: Services,
  { project, task: named, name }: TaskRequest & { readonly name?: string | undefined },
): Promise<SnapshotInfo> {
  const task = named ?? (await services.store.project(project)).currentTask;
  if (task === undefined) {
    throw new ContextError('invalid_parameter', 'No task is current: name the task to take a snapshot of.');
  }
  const draft = { snapshotId: services.newSnapshotId(), taskId: task, name, createdAt: services.now() };
  return await services.store.createSnapshot(project, draft, { taskId: task });
}

/** Makes another task the current one, or none. */
export async function setTask(
  services: Services,
  project: string,
  task: string | undefined,
): Promise<{ readonly previous?: string | undefined; readonly working: number }> {
  const previous = await services.store.setCurrentTask(project, task);
  const working =
    task === undefined ? 0 : (await services.store.totals(project, { tier: 'working', taskId: task })).segments;
  return { previous, working };
}

function byTouch(metas: readonly SegmentMeta[]): SegmentMeta[] {
  return [...metas].sort((a, b) => b.touchedAt - a.touchedAt);
}

function tokensOf(metas: readonly SegmentMeta[]): number {
  return metas.reduce((sum, { tokens }) => sum + tokens, 0);
}
