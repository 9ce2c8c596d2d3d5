import type {
  AnalyzeUsageResult,
  ContextError,
  ListProjectsResult,
  RetrieveStashedResult,
  SearchStashedResult,
  StashResult,
  TaskContextResult,
  TaskSnapshotResult,
} from '@jeeves/protocol';
import { beforeAll, describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { descriptors } from './described.ts';
import { type ContextServer, cleanUpAfterwards, freshStore, startContext } from './server.ts';

let server: ContextServer;
beforeAll(async () => {
  server = await startContext({ store: freshStore() });
});
cleanUpAfterwards();

describe('projects and tasks', () => {
  verifies('context.task-kept', 'keep a segment where it was first described', async () => {
    const tokensByTask = async (task_info: object): Promise<object> => {
      const context_descriptors = descriptors([{ segment_id: 'a', tokens: 700 }], { task_info });
      const answer = await server.ask<AnalyzeUsageResult>('analyze_usage', {
        project_id: 'moved',
        context_descriptors,
      });
      return answer.usage_metrics.tokens_by_task;
    };
    expect(await tokensByTask({ task_id: 'first' })).toEqual({ first: 700 });
    await server.ask('set_current_task', { project_id: 'moved', task_id: 'second' });
    expect(await tokensByTask({ name: 'nameless' })).toEqual({ first: 700 });
    expect(await tokensByTask({ task_id: 'third' })).toEqual({ first: 700 });
    expect((await server.working('moved')).map(({ task_id }) => task_id)).toEqual(['first']);
  });

  verifies(
    ['context.scopes', 'context.list-projects', 'security.t23.scoped-stash', 'doors.own-project'],
    'are closed to each other, but for a search of all',
    async () => {
      for (const project_id of ['mine', 'yours']) {
        await server.ask('stash', {
          project_id,
          segments: [{ segment_id: 'same-id', text: `the secret of ${project_id}`, task_id: project_id }],
        });
      }
      const [own] = (
        await server.ask<RetrieveStashedResult>('retrieve_stashed', { project_id: 'mine', segment_ids: ['same-id'] })
      ).retrieved_segments;
      expect(own?.text).toBe('the secret of mine');
      await server.ask('gc_prune', { project_id: 'mine', segment_ids: ['same-id'], action: 'delete', confirm: true });
      expect(await server.stashed('yours')).toEqual(['same-id']);
      const stranger = { project_id: 'stranger', segment_ids: ['same-id'] };
      const { retrieved_segments, errors } = await server.ask<RetrieveStashedResult>('retrieve_stashed', stranger);
      expect(retrieved_segments).toEqual([]);
      expect(errors.map(({ code }) => code)).toEqual(['SEGMENT_NOT_FOUND']);
      const query = 'secret of yours';
      const forgotten = await server.ask<SearchStashedResult>('search_stashed', { query });
      expect(forgotten).toMatchObject({ segments: [], next_step: { arguments: { all_projects: true, query } } });
      const everywhere = await server.ask<SearchStashedResult>('search_stashed', { query, all_projects: true });
      expect(everywhere.segments.map(({ project_id }) => project_id)).toEqual(['yours']);
      const other = await server.ask<TaskContextResult>('get_task_context', { project_id: 'yours', task_id: 'mine' });
      expect(other).toMatchObject({ segment_count: 0, segments: [] });
      const { projects, count } = await server.ask<ListProjectsResult>('list_projects');
      expect(projects).toContain('yours');
      expect(count).toBe(projects.length);
    },
  );

  verifies(
    ['context.current-task', 'context.task-context', 'context.snapshot', 'context.defects.snapshots'],
    'have snapshots that hold the task and no snapshot',
    async () => {
      await server.ask('set_current_task', { project_id: 'snap', task_id: 't' });
      await server.tell('snap', [{ segment_id: 'a' }, { segment_id: 'b' }, { segment_id: 'other', task_id: 'u' }]);
      await server.ask('stash', { project_id: 'snap', segment_ids: ['b'] });
      for (const name of ['one', 'two', 'three']) {
        const taken = await server.ask<TaskSnapshotResult>('create_task_snapshot', { project_id: 'snap', name });
        expect(taken).toMatchObject({ task_id: 't', segments_captured: 2, tokens_captured: 200 });
      }
      const { segments, segment_count, active, snapshots } = await server.ask<TaskContextResult>('get_task_context', {
        project_id: 'snap',
      });
      expect(segments.map(({ segment_id, tier }) => `${segment_id} ${tier}`).sort()).toEqual([
        'a working',
        'b stashed',
      ]);
      expect({ segment_count, active }).toEqual({ segment_count: 2, active: true });
      expect(snapshots.map(({ name }) => String(name)).sort()).toEqual(['one', 'three', 'two']);
      expect(await server.stashed('snap')).toEqual(['b']);
    },
  );

  verifies(
    ['context.errors.structured', 'context.errors.unchanged'],
    'answer what cannot be done with a structured error',
    async () => {
      const wrong: [string, object, string][] = [
        ['create_task_snapshot', { project_id: 'none' }, 'INVALID_PARAMETER'],
        ['get_task_context', { project_id: 'none', restore_snapshot_id: 'x' }, 'SNAPSHOT_NOT_FOUND'],
        ['gc_prune', { project_id: 'none', segment_ids: ['a'], action: 'delete' }, 'CONFIRMATION_REQUIRED'],
      ];
      for (const [tool, args, code] of wrong) {
        const { error, isError, next_step } = await server.ask<ContextError>(tool, args);
        expect(isError).toBe(true);
        expect(error).toEqual({ code, message: expect.stringMatching(/./), details: expect.any(Object) });
        expect(next_step.tool).toMatch(/^context_/);
      }
      expect((await server.ask<ListProjectsResult>('list_projects')).projects).not.toContain('none');
    },
  );

  verifies('context.errors.structured', 'say so when the store cannot be opened, and serve on', async () => {
    const broken = await startContext({ store: 'sqlite:/dev/null/jeeves.db' });
    for (const tool of ['list_projects', 'get_working_set']) {
      const { error, isError } = await broken.ask<ContextError>(
        tool,
        tool === 'list_projects' ? {} : { project_id: 'p' },
      );
      expect({ code: error.code, isError }).toEqual({ code: 'STORAGE_ERROR', isError: true });
    }
    await broken.process.close();
  });
});

describe('ids', () => {
  const names: [string, string][] = [
    ['a path', '../../x'],
    ['a NUL', 'a\0b'],
    ['ten kilobytes', 'long '.repeat(2000)],
    ['emoji', '🛒🔥'],
    ['SQL', "x'; DROP TABLE segments; --"],
  ];
  for (const [what, name] of names) {
    verifies(['context.names', 'context.defects.paths'], `come back as they were: ${what}`, async () => {
      await server.tell(name, [{ segment_id: name, task_id: name, tags: [name] }]);
      const { stashed_segments } = await server.ask<StashResult>('stash', { project_id: name, segment_ids: [name] });
      expect(stashed_segments).toEqual([name]);
      const args = { project_id: name, segment_ids: [name] };
      const [segment] = (await server.ask<RetrieveStashedResult>('retrieve_stashed', args)).retrieved_segments;
      expect(segment).toMatchObject({ segment_id: name, project_id: name, task_id: name, tags: [name] });
      expect((await server.ask<ListProjectsResult>('list_projects')).projects).toContain(name);
    });
  }
});
