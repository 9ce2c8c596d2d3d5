import type { Context, TaskContext } from '@jeeves/context';
import {
  CONTEXT_CREATE_TASK_SNAPSHOT,
  CONTEXT_GET_TASK_CONTEXT,
  CONTEXT_LIST_PROJECTS,
  CONTEXT_SET_CURRENT_TASK,
  type CreateTaskSnapshotArgs,
  type GetTaskContextArgs,
  type ListProjectsResult,
  type NextStep,
  type SetCurrentTaskArgs,
  type SetCurrentTaskResult,
  type SnapshotInfo,
  type TaskContextResult,
  type TaskSnapshotResult,
} from '@jeeves/protocol';
import type { Tool } from '../../host/tool.ts';
import { type ContextToolDependencies, contextTool, textRoom } from './answer.ts';
import { isoTime } from './convert.ts';
import { toSegment } from './stash.ts';

export function createListProjects(dependencies: ContextToolDependencies): Tool {
  return contextTool(CONTEXT_LIST_PROJECTS, dependencies, async (context): Promise<ListProjectsResult> => {
    const projects = (await context.projects()).map(({ projectId }) => projectId);
    return {
      projects,
      count: projects.length,
      next_step:
        projects.length === 0
          ? {
              tool: 'context_stash',
              why: 'Nothing is kept yet: stash what should outlive this context.',
              arguments: {},
            }
          : { tool: 'context_search_stashed', why: 'Searches all of them without project_id.', arguments: {} },
    };
  });
}

export function createSetCurrentTask(dependencies: ContextToolDependencies): Tool<SetCurrentTaskArgs> {
  return contextTool(CONTEXT_SET_CURRENT_TASK, dependencies, async (context, args): Promise<SetCurrentTaskResult> => {
    const { project_id, task_id } = args;
    const { previous } = await context.setTask(project_id, task_id ?? undefined);
    return {
      previous_task_id: previous ?? null,
      current_task_id: task_id,
      working_set_updated: (previous ?? null) !== task_id,
      next_step:
        task_id === null
          ? { tool: 'context_analyze_usage', why: 'No task holds segments now.', arguments: { project_id } }
          : {
              tool: 'context_get_task_context',
              why: 'See what the task left behind.',
              arguments: { project_id, task_id },
            },
    };
  });
}

export function createGetTaskContext(dependencies: ContextToolDependencies): Tool<GetTaskContextArgs> {
  return contextTool(
    CONTEXT_GET_TASK_CONTEXT,
    dependencies,
    async (context, args, call): Promise<TaskContextResult> => {
      const { project_id, task_id, restore_snapshot_id } = args;
      const found = await context.taskContext({
        project: project_id,
        task: task_id,
        restore: restore_snapshot_id,
        maxBytes: textRoom(call),
      });
      const refcounts = await context.refcounts(found.segments.map(({ meta }) => meta));
      return {
        task_id: found.task ?? null,
        segments: found.segments.map((given) => toSegment(given, refcounts.get(given.meta) ?? 0)),
        total_tokens: found.tokens,
        segment_count: found.count,
        active: found.current,
        snapshots: found.snapshots.map(toSnapshot),
        ...(found.restored !== undefined && { restored_segments: found.restored }),
        ...(found.setAside !== undefined && found.setAside.length > 0 && { set_aside_segments: found.setAside }),
        omitted_segments: found.omitted,
        next_step: afterTaskContext(project_id, found),
      };
    },
  );
}

function afterTaskContext(project_id: string, found: TaskContext): NextStep {
  const { task, current, snapshots, restored, segments, omitted } = found;
  const [latest] = snapshots;
  if (omitted.length > 0) {
    const args = { project_id, segment_ids: omitted.slice(0, 200) };
    return { tool: 'context_retrieve_stashed', why: 'The task has more than fits one answer.', arguments: args };
  }
  const active = segments.some(({ meta }) => meta.tier === 'working');
  if (restored === undefined && !active && latest !== undefined) {
    const args = { project_id, restore_snapshot_id: latest.snapshotId };
    return { tool: 'context_get_task_context', why: 'Restores the latest snapshot.', arguments: args };
  }
  if (task !== undefined && !current) {
    const why = 'Make it the current task, so that its segments are kept.';
    return { tool: 'context_set_current_task', why, arguments: { project_id, task_id: task } };
  }
  const why = task === undefined ? 'No task is current.' : 'Go on with the task, and look at the usage now and then.';
  return { tool: 'context_analyze_usage', why, arguments: { project_id } };
}

export function createTaskSnapshot(dependencies: ContextToolDependencies): Tool<CreateTaskSnapshotArgs> {
  return contextTool(
    CONTEXT_CREATE_TASK_SNAPSHOT,
    dependencies,
    async (context, { project_id, task_id, name }): Promise<TaskSnapshotResult> => {
      const snapshot = await context.createSnapshot({ project: project_id, task: task_id, name });
      return {
        snapshot_id: snapshot.snapshotId,
        task_id: snapshot.taskId ?? '',
        segments_captured: snapshot.segments,
        tokens_captured: snapshot.tokens,
        created_at: isoTime(snapshot.createdAt),
        next_step: afterSnapshot(project_id, snapshot.segments),
      };
    },
  );
}

function afterSnapshot(project_id: string, captured: number): NextStep {
  if (captured === 0) {
    const why = 'Nothing was captured: no segment has this task_id. It lists the segments there are.';
    return { tool: 'context_get_working_set', why, arguments: { project_id } };
  }
  const why = 'The task is safe: switch, and restore it later with context_get_task_context.';
  return { tool: 'context_set_current_task', why, arguments: { project_id } };
}

type Snapshot = Awaited<ReturnType<Context['createSnapshot']>>;

function toSnapshot({ snapshotId, taskId, name, createdAt, segments, tokens }: Snapshot): SnapshotInfo {
  return {
    snapshot_id: snapshotId,
    task_id: taskId ?? null,
    name: name ?? null,
    created_at: isoTime(createdAt),
    segments,
    tokens,
  };
}
