import type {
  AnalyzeUsageResult,
  ContextError,
  GcPruneResult,
  PinResult,
  RecoverTextResult,
  RetrieveStashedResult,
  SearchStashedResult,
  SegmentInfo,
  SetCurrentTaskResult,
  StashResult,
  UnpinResult,
} from '@jeeves/protocol';
import { beforeAll, describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { descriptors, hoursAgo } from './described.ts';
import { type ContextServer, cleanUpAfterwards, freshStore, idsOf, startContext } from './server.ts';

let server: ContextServer;
beforeAll(async () => {
  server = await startContext({ store: freshStore() });
});
cleanUpAfterwards();

async function about(project_id: string, id: string): Promise<SegmentInfo | undefined> {
  return (await server.working(project_id)).find(({ segment_id }) => segment_id === id);
}

describe('context_gc_prune', () => {
  verifies(
    [
      'context.gc.prune',
      'context.errors.partial',
      'context.pinned-refused',
      'context.delete-or-stash',
      'context.advisory',
    ],
    'stashes what it can and names the rest, each with its reason',
    async () => {
      await server.tell('prune', [{ segment_id: 'a' }, { segment_id: 'b' }, { segment_id: 'c' }]);
      await server.ask<PinResult>('gc_pin', { project_id: 'prune', segment_ids: ['b'] });
      const args = { project_id: 'prune', segment_ids: ['a', 'b', 'nobody'], action: 'stash' };
      const answer = await server.ask<GcPruneResult>('gc_prune', args);
      expect(answer).toMatchObject({
        pruned_segments: ['a'],
        tokens_freed: 100,
        action: 'stashed',
        previews_only: ['a'],
      });
      expect(answer.errors.map(({ segment_id, code }) => [segment_id, code])).toEqual([
        ['b', 'SEGMENT_PINNED'],
        ['nobody', 'SEGMENT_NOT_FOUND'],
      ]);
      expect(answer.isError).toBeUndefined();
      expect((await server.ask<GcPruneResult>('gc_prune', args)).errors[0]?.code).toBe('SEGMENT_NOT_ACTIVE');
      expect(idsOf(await server.working('prune'))).toEqual(['b', 'c']);
      expect(await server.stashed('prune')).toEqual(['a']);
    },
  );

  verifies(
    ['context.delete-confirmed', 'context.errors.structured', 'context.errors.unchanged', 'context.next-step'],
    'deletes only when confirmed, and otherwise changes nothing',
    async () => {
      await server.tell('delete', [{ segment_id: 'a' }, { segment_id: 'b' }]);
      const args = { project_id: 'delete', segment_ids: ['a'], action: 'delete' };
      const refused = await server.ask<ContextError>('gc_prune', args);
      expect(refused.isError).toBe(true);
      expect(refused.error).toMatchObject({ code: 'CONFIRMATION_REQUIRED', details: {} });
      expect(refused.error.message).toMatch(/\.$/);
      expect(refused.next_step).toMatchObject({ tool: 'context_gc_prune', arguments: { action: 'stash' } });
      expect(idsOf(await server.working('delete'))).toEqual(['a', 'b']);
      const done = await server.ask<GcPruneResult>('gc_prune', { ...args, confirm: true });
      expect(done).toMatchObject({ pruned_segments: ['a'], action: 'deleted', errors: [] });
      expect(idsOf(await server.working('delete'))).toEqual(['b']);
    },
  );

  verifies('context.defects.maintained', 'keeps survivals, generation, references and touches up to date', async () => {
    await server.tell('aging', [
      { segment_id: 'stays', created_at: hoursAgo(5) },
      { segment_id: 'x', tags: ['ref:stays'] },
      { segment_id: 'y', tags: ['ref:stays'] },
    ]);
    expect(await about('aging', 'stays')).toMatchObject({ generation: 'young', gc_survival_count: 0, refcount: 2 });
    for (const id of ['x', 'y']) {
      await server.ask('gc_prune', { project_id: 'aging', segment_ids: [id], action: 'stash' });
    }
    expect(await about('aging', 'stays')).toMatchObject({ generation: 'old', gc_survival_count: 2, refcount: 0 });
    const before = (await about('aging', 'stays'))?.last_touched_at ?? '';
    await server.ask('retrieve_stashed', { project_id: 'aging', segment_ids: ['x'], move_to_active: true });
    expect(((await about('aging', 'x'))?.last_touched_at ?? '') > before).toBe(true);
    expect((await about('aging', 'stays'))?.refcount).toBe(1);
  });
});

describe('pins', () => {
  verifies(
    ['context.gc.pin', 'context.defects.pins'],
    'hold against pruning and stashing until they are taken back',
    async () => {
      await server.tell('pins', [{ segment_id: 'a' }, { segment_id: 'b' }]);
      const pinned = await server.ask<PinResult>('gc_pin', { project_id: 'pins', segment_ids: ['a', 'nobody'] });
      expect(pinned.pinned_segments).toEqual(['a']);
      expect(pinned.errors[0]).toMatchObject({ segment_id: 'nobody', code: 'SEGMENT_NOT_FOUND' });
      for (const choice of [{ filters: {} }, { segment_ids: ['a'] }, { segments: [{ segment_id: 'a', text: 'x' }] }]) {
        const { stashed_segments, errors } = await server.ask<StashResult>('stash', { project_id: 'pins', ...choice });
        expect(stashed_segments).not.toContain('a');
        expect(errors).toEqual([expect.objectContaining({ segment_id: 'a', code: 'SEGMENT_PINNED' })]);
      }
      expect(idsOf(await server.working('pins'))).toEqual(['a']);
      const { unpinned_segments } = await server.ask<UnpinResult>('gc_unpin', {
        project_id: 'pins',
        segment_ids: ['a'],
      });
      expect(unpinned_segments).toEqual(['a']);
      expect(
        (await server.ask<StashResult>('stash', { project_id: 'pins', query: 'preview' })).stashed_segments,
      ).toEqual(['a']);
    },
  );

  verifies(
    ['context.defects.restart', 'context.working-set', 'context.stash-durable'],
    'and the working set survive a crash',
    async () => {
      const store = freshStore();
      const first = await startContext({ store });
      const context_descriptors = descriptors([{ segment_id: 'a' }, { segment_id: 'b' }, { segment_id: 'c' }]);
      await first.ask('analyze_usage', { project_id: 'p', context_descriptors });
      await first.ask('gc_pin', { project_id: 'p', segment_ids: ['a'] });
      await first.ask('stash', { project_id: 'p', segment_ids: ['c'], segments: ['a text of its own'] });
      await first.ask('set_current_task', { project_id: 'p', task_id: 't' });
      await first.kill();
      const second = await startContext({ store });
      expect((await second.working('p')).map(({ segment_id, pinned }) => `${segment_id} ${pinned}`).sort()).toEqual([
        'a true',
        'b false',
      ]);
      expect(await second.stashed('p')).toHaveLength(2);
      const { previous_task_id } = await second.ask<SetCurrentTaskResult>('set_current_task', {
        project_id: 'p',
        task_id: null,
      });
      expect(previous_task_id).toBe('t');
      await second.process.close();
    },
  );
});

describe('context_stash', () => {
  verifies(
    ['context.stash', 'context.inline'],
    'takes texts inline and ids, filters and a query, in one call',
    async () => {
      await server.tell('one-call', [
        { segment_id: 'by-id' },
        { segment_id: 'by-type', type: 'summary' },
        { segment_id: 'stays', type: 'decision', preview: 'integers in cents' },
      ]);
      const answer = await server.ask<StashResult>('stash', {
        project_id: 'one-call',
        segment_ids: ['by-id'],
        filters: { type: 'summary' },
        segments: [
          'plain\r\ntext',
          { text: 'error: a log', type: 'log', tags: ['ci'], file_path: 'ci.log', task_id: 't' },
        ],
      });
      expect(answer.stashed_segments).toHaveLength(4);
      expect(answer).toMatchObject({ segments_matched: 4, errors: [], previews_only: ['by-id', 'by-type'] });
      expect(idsOf(await server.working('one-call'))).toEqual(['stays']);
      const filters = JSON.stringify({ tags: ['ci'], file_path: 'ci.log', task_id: 't' });
      const { retrieved_segments } = await server.ask<RetrieveStashedResult>('retrieve_stashed', {
        project_id: 'one-call',
        filters,
      });
      expect(retrieved_segments.map(({ text, type, text_complete }) => [text, type, text_complete])).toEqual([
        ['error: a log', 'log', true],
      ]);
    },
  );

  verifies('context.token-counts', 'counts tokens as the platform does', async () => {
    const project_id = 'counted';
    const recent_messages = [{ segment_id: 'm', role: 'user', content: 'short', tokens: 1234 }];
    const context_descriptors = descriptors([{ segment_id: 'a', tokens: 4000 }], { recent_messages });
    const usage = await server.ask<AnalyzeUsageResult>('analyze_usage', { project_id, context_descriptors });
    expect(usage.usage_metrics.total_tokens).toBe(5234);
    const segments = [
      { segment_id: 'a', text: 'the whole text, which is short' },
      { segment_id: 'new', text: 'x', tokens: 99 },
    ];
    const stashed = await server.ask<StashResult>('stash', { project_id, segment_ids: ['m'], segments });
    expect(stashed.tokens_stashed).toBe(4000 + 99 + 1234);
  });

  verifies('context.defects.whole-project', 'means the whole project, whichever task is current', async () => {
    await server.ask('set_current_task', { project_id: 'tasks', task_id: 'one' });
    await server.tell('tasks', [
      { segment_id: 'a', task_id: 'one' },
      { segment_id: 'b', task_id: 'two' },
      { segment_id: 'c' },
    ]);
    const { stashed_segments } = await server.ask<StashResult>('stash', { project_id: 'tasks', filters: {} });
    expect([...stashed_segments].sort()).toEqual(['a', 'b', 'c']);
  });

  verifies(
    ['context.previews', 'context.defects.one-copy'],
    'keeps a preview a preview, and one copy of it',
    async () => {
      await server.tell('preview', [{ segment_id: 'a', preview: 'the first words' }]);
      const { previews_only } = await server.ask<StashResult>('stash', { project_id: 'preview', segment_ids: ['a'] });
      expect(previews_only).toEqual(['a']);
      await server.tell('preview', [{ segment_id: 'a', preview: 'the first words' }]);
      expect(idsOf(await server.working('preview'))).toEqual([]);
      expect(await server.stashed('preview')).toEqual(['a']);
      const get = () =>
        server.ask<RetrieveStashedResult>('retrieve_stashed', { project_id: 'preview', segment_ids: ['a'] });
      expect((await get()).retrieved_segments[0]).toMatchObject({ text: 'the first words', text_complete: false });
      await server.ask('stash', {
        project_id: 'preview',
        segments: [{ segment_id: 'a', text: 'the first words and the rest' }],
      });
      expect((await get()).retrieved_segments[0]).toMatchObject({
        text: 'the first words and the rest',
        text_complete: true,
      });
    },
  );
});

describe('context_search_stashed and context_retrieve_stashed', () => {
  const log = Array.from({ length: 300 }, (_, at) =>
    at === 177 ? 'ERROR webhook 401: bad signature' : `step ${at} is fine`,
  ).join('\n');

  verifies(
    ['context.search', 'context.retrieve', 'context.defects.index'],
    'find by words and metadata what is in the stash',
    async () => {
      const segments = [
        {
          segment_id: 'webhook',
          text: 'The payment webhook is verified by its HMAC signature',
          type: 'note',
          task_id: 't',
        },
        { segment_id: 'refund', text: 'Refunds of a payment go through the queue', type: 'decision' },
        { segment_id: 'logo', text: 'The logo has three colours', tags: ['design'] },
      ];
      await server.ask('stash', { project_id: 'find', segments });
      const find = async (args: object): Promise<string[]> =>
        (await server.ask<SearchStashedResult>('search_stashed', { project_id: 'find', ...args })).segments.map(
          ({ segment_id }) => segment_id,
        );
      expect(await find({ query: 'how is the payment webhook verified' })).toEqual(['webhook', 'refund']);
      expect(await find({ query: 'payment', filters: { type: 'decision' } })).toEqual(['refund']);
      expect(await find({ filters: { tags: ['design'] } })).toEqual(['logo']);
      expect(await find({ query: 'nothing of the kind' })).toEqual([]);
      expect(await find({ limit: 2 })).toHaveLength(2);

      await server.ask('retrieve_stashed', { project_id: 'find', segment_ids: ['webhook'], move_to_active: true });
      await server.ask('gc_prune', { project_id: 'find', segment_ids: ['refund'], action: 'delete', confirm: true });
      expect(await find({ query: 'payment' })).toEqual([]);
      expect(idsOf(await server.working('find'))).toEqual(['webhook']);
    },
  );

  verifies(
    'context.retrieve-goal',
    'give with a goal the lines that serve it, and the rest by recover_text',
    async () => {
      await server.ask('stash', { project_id: 'goal', segments: [{ segment_id: 'log', text: log, type: 'log' }] });
      const args = { project_id: 'goal', segment_ids: ['log'], goal: 'Why did the webhook answer 401?' };
      const [segment] = (await server.ask<RetrieveStashedResult>('retrieve_stashed', args)).retrieved_segments;
      expect(segment?.text).toContain('ERROR webhook 401: bad signature');
      expect(segment?.text.length).toBeLessThan(log.length / 2);
      const ranges = [{ start_line: 1, end_line: 300 }];
      const recovered = await server.process.call('recover_text', { prune_id: segment?.prune_id, ranges });
      expect((recovered.structuredContent as unknown as RecoverTextResult).raw_text).toBe(log);
    },
  );

  verifies('context.defects.time-zones', 'compare times with and without a zone', async () => {
    await server.ask('stash', { project_id: 'times', segments: [{ segment_id: 'a', text: 'now' }] });
    const around = [
      { created_after: '2020-01-01' },
      { created_after: '2020-01-01T00:00:00', created_before: '2100-01-01T00:00:00+14:00' },
      { created_before: '2100-01-01 00:00:00' },
      { created_after: '2020-01-01T00:00:00.123456Z' },
    ];
    for (const filters of around) {
      const { total_matches, isError } = await server.ask<SearchStashedResult>('search_stashed', {
        project_id: 'times',
        filters,
      });
      expect({ total_matches, isError }).toEqual({ total_matches: 1, isError: undefined });
    }
    const filters = { created_after: '2100-01-01' };
    expect(
      (await server.ask<SearchStashedResult>('search_stashed', { project_id: 'times', filters })).total_matches,
    ).toBe(0);
  });
});
