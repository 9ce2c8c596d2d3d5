import type { SegmentMeta, SnapshotInfo } from '@jeeves/engine';
import { inTask } from '../analysis/arrange.ts';
import type { Numbers } from '../analysis/numbers.ts';
import { ContextError } from '../error.ts';
import { restoreSnapshot } from './restore.ts';
import { type GivenTexts, giveTexts } from './texts.ts';
import type { World } from './world.ts';

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
  world: World,
  { project, task, limit }: TaskRequest & { readonly limit: number },
): Promise<WorkingSet> {
  const { contents } = await world.remembered.project(project);
  const { id, touchedAt, rank, tokens, length, names } = inTask(contents.columns, task);
  const latest = Uint32Array.from(id.keys()).sort(
    (a, b) => (touchedAt[b] as number) - (touchedAt[a] as number) || (rank[a] as number) - (rank[b] as number),
  );
  const ids = Array.from(latest.subarray(0, limit), (at) => names.ids.nameOf(id[at] as number));
  const metas = await world.store.list(project, { ids });
  return { metas: byTouch(metas), tokens: sumOf(tokens), count: length };
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
export async function taskContext(world: World, request: TaskContextRequest): Promise<TaskContext> {
  const { project, restore, maxBytes } = request;
  const { currentTask } = await world.store.project(project);
  const restored = restore === undefined ? undefined : await restoreSnapshot(world, project, restore, request.task);
  const task = request.task ?? restored?.task ?? currentTask;
  if (task === undefined) {
    const snapshots = await world.store.snapshots(project);
    return { current: false, tokens: 0, count: 0, segments: [], omitted: [], snapshots };
  }
  const metas = byTouch(await world.store.list(project, { taskId: task }));
  return {
    task,
    current: task === currentTask,
    tokens: tokensOf(metas),
    count: metas.length,
    ...(await giveTexts(world, metas, { maxBytes })),
    snapshots: await world.store.snapshots(project, task),
    ...(restored !== undefined && { restored: restored.ids, setAside: restored.setAside }),
  };
}

/** Copies the segments of a task as they are now. Snapshots are no segments, so none holds another. */
export async function createSnapshot(
  world: World,
  { project, task: named, name }: TaskRequest & { readonly name?: string | undefined },
): Promise<SnapshotInfo> {
  const task = named ?? (await world.store.project(project)).currentTask;
  if (task === undefined) {
    throw new ContextError('invalid_parameter', 'No task is current: name the task to take a snapshot of.');
  }
  const draft = { snapshotId: world.newSnapshotId(), taskId: task, name, createdAt: world.now() };
  return await world.store.createSnapshot(project, draft, { taskId: task });
}

/** Makes another task the current one, or none. */
export async function setTask(
  world: World,
  project: string,
  task: string | undefined,
): Promise<{ readonly previous?: string | undefined; readonly working: number }> {
  const previous = await world.store.setCurrentTask(project, task);
  const working =
    task === undefined ? 0 : (await world.store.totals(project, { tier: 'working', taskId: task })).segments;
  return { previous, working };
}

function sumOf(numbers: Numbers): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

function byTouch(metas: readonly SegmentMeta[]): SegmentMeta[] {
  return [...metas].sort((a, b) => b.touchedAt - a.touchedAt);
}

function tokensOf(metas: readonly SegmentMeta[]): number {
  return metas.reduce((sum, { tokens }) => sum + tokens, 0);
}
