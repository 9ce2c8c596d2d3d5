import type { AnalyzeUsageResult, GcAnalyzeResult, PinResult, SetCurrentTaskResult } from '@jeeves/protocol';
import { beforeAll, describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { descriptors, hoursAgo, withinOneMinute } from './described.ts';
import { type ContextServer, cleanUpAfterwards, startContext } from './server.ts';

let server: ContextServer;
beforeAll(async () => {
  server = await startContext();
});
cleanUpAfterwards();

const usageOf = (project_id: string, context_descriptors: object | string, more: object = {}) =>
  server.ask<AnalyzeUsageResult>('analyze_usage', { project_id, context_descriptors, ...more });
const garbageOf = (project_id: string, context_descriptors: object, more: object = {}) =>
  server.ask<GcAnalyzeResult>('gc_analyze', { project_id, context_descriptors, ...more });
const candidatesOf = async (...args: Parameters<typeof garbageOf>): Promise<string[]> =>
  (await garbageOf(...args)).pruning_candidates.map(({ segment_id }) => segment_id);

/** The call of the seed, as a platform would make it. */
const example = (): object =>
  descriptors(
    [
      { segment_id: 'debug-1', preview: 'DEBUG cart rendered', tokens: 6000, created_at: hoursAgo(30) },
      { segment_id: 'code-1', type: 'code', file_path: 'src/cart.ts', tokens: 3000, created_at: hoursAgo(2) },
      { segment_id: 'old-code', type: 'code', file_path: 'src/old.ts', tokens: 2000, created_at: hoursAgo(26) },
    ],
    {
      recent_messages: Array.from({ length: 12 }, (_, at) => ({
        role: 'user',
        content: `message ${at}`,
        timestamp: hoursAgo(2 - at / 10),
      })),
      current_file: { path: 'src/cart.ts', current_line: 12 },
      task_info: { task_id: 'task_456', name: 'Cart' },
    },
  );

/** A small log before much that stays: clearing it frees little and rewrites all the rest. */
const crowded = (current: number): object =>
  descriptors(
    [
      { segment_id: 'log', tokens: 900, created_at: hoursAgo(3) },
      { segment_id: 'kept', type: 'decision', tokens: 30_000, created_at: hoursAgo(0.5) },
    ],
    { token_usage: { current, limit: 32_000 } },
  );

describe('context_analyze_usage', () => {
  verifies(
    ['context.analyze-usage', 'context.usage-percent', 'context.usage-shape', 'context.next-step'],
    'answers the seed’s own call with tokens, percent, sentences and candidates',
    async () => {
      const answer = await usageOf('project_123', example(), { task_id: 'task_456' });
      expect(answer).toMatchObject({ current_tokens: 25_000, usage_percent: 78 });
      for (const sentence of answer.recommendations) expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(answer.recommendations.join(' ')).toContain('Consider stashing');
      expect(answer.pruning_candidates[0]).toMatchObject({ segment_id: 'debug-1', segment_type: 'log', tokens: 6000 });
      expect(answer.usage_metrics).toMatchObject({
        total_segments: 15,
        segments_by_type: { log: 1, code: 2, message: 12 },
        usage_percent: 78.13,
        estimated_remaining_tokens: 7000,
        pinned_segments_count: 0,
      });
      expect(answer.health_score.score).toBeGreaterThan(0);
      expect(answer.recommendation_details[0]).toMatchObject({ priority: 'medium', action: 'stash' });
      expect(answer.warnings).toEqual(['Usage is at or above 60 %.']);
      expect(answer.suggested_actions[0]?.tool).toBe('context_gc_prune');
      expect(Object.keys(answer).at(-1)).toBe('next_step');
      expect(answer.next_step).toMatchObject({ tool: 'context_gc_analyze', arguments: { target_tokens: 9000 } });
    },
  );

  verifies('context.descriptors', 'takes descriptors as an object and as JSON alike', async () => {
    const said = example();
    const [asJson, asObject] = await withinOneMinute(async () => [
      await usageOf('json', JSON.stringify(said)),
      await usageOf('json', said),
    ]);
    expect(asJson).toEqual(asObject);
  });

  verifies(
    ['context.payback', 'context.recommendation'],
    'says what a clearing frees, invalidates and when it pays',
    async () => {
      const told = descriptors([
        { segment_id: 'kept-1', type: 'summary', tokens: 10_000, created_at: hoursAgo(4) },
        { segment_id: 'log', tokens: 9000, created_at: hoursAgo(3) },
        { segment_id: 'kept-2', type: 'decision', tokens: 60_000, created_at: hoursAgo(0.5) },
      ]);
      const { clearings, impact_summary, recommendations, suggested_actions } = await usageOf('payback', told);
      expect(clearings).toEqual([
        {
          segment_ids: ['log'],
          segment_count: 1,
          action: 'stash',
          reason: 'logs that nothing refers to',
          tokens_freed: 9000,
          recommended: false,
          cached_tokens_invalidated: 60_000,
          turns_to_pay_back: 77,
          cost_usd: 0.207,
          saved_usd_per_turn: 0.0027,
        },
      ]);
      expect(impact_summary).toMatchObject({ estimated_tokens_freed: 9000, turns_to_pay_back: 77 });
      expect([recommendations.join(' ').includes('Consider stashing'), suggested_actions]).toEqual([false, []]);
    },
  );

  verifies(
    'context.payback-limit',
    'recommends what pays back too late only where hardly any room is left, and says so',
    async () => {
      const roomy = await usageOf('roomy', crowded(28_000));
      expect(roomy.clearings).toMatchObject([{ turns_to_pay_back: 384, recommended: false }]);
      expect(roomy.recommendations.join(' ')).not.toContain('Consider stashing');
      expect(roomy.next_step).toMatchObject({ tool: 'context_analyze_usage' });
      expect((await garbageOf('roomy', crowded(28_000))).next_step).toMatchObject({ tool: 'context_analyze_usage' });
      const full = await usageOf('full', crowded(30_000));
      expect(full.clearings).toMatchObject([{ turns_to_pay_back: 384, recommended: true }]);
      expect(full.recommendations.join(' ')).toContain('384 turns, but the context is nearly full');
      expect(full.next_step).toMatchObject({ tool: 'context_gc_analyze' });
      expect((await garbageOf('full', crowded(30_000))).next_step).toMatchObject({ tool: 'context_gc_prune' });
    },
  );

  verifies('context.prices', 'reckons with the prices and the window that were configured', async () => {
    const env = {
      JEEVES_PRICE_INPUT_CENTS: '1500',
      JEEVES_PRICE_CACHE_WRITE_PERCENT: '100',
      JEEVES_PRICE_CACHE_READ_PERCENT: '50',
      JEEVES_PAYBACK_TURNS: '3',
      JEEVES_CONTEXT_LIMIT: '1000',
    };
    const own = await startContext({ env });
    const told = descriptors([
      { segment_id: 'log', tokens: 1000, created_at: hoursAgo(3) },
      { segment_id: 'kept', type: 'decision', tokens: 4000, created_at: hoursAgo(0.1) },
    ]);
    const { clearings } = await own.ask<AnalyzeUsageResult>('analyze_usage', {
      project_id: 'p',
      context_descriptors: told,
    });
    expect(clearings[0]).toMatchObject({ turns_to_pay_back: 4, cost_usd: 0.03, saved_usd_per_turn: 0.0075 });
    expect(clearings[0]?.recommended).toBe(false);
    const { usage_percent } = await own.ask<AnalyzeUsageResult>('analyze_usage', { project_id: 'p' });
    expect(usage_percent).toBe(500);
    await own.process.close();
  });

  verifies(
    ['context.advisory', 'context.defects.read-only'],
    'answers the same descriptors alike and holds nothing twice',
    async () => {
      const said = example();
      const [first, again] = await withinOneMinute(async () => {
        const ask = async () => [await usageOf('twice', said), await garbageOf('twice', said)];
        const before = await ask();
        await usageOf('twice', descriptors([{ segment_id: 'another' }, { segment_id: 'debug-1', tokens: 1 }]));
        return [before, [await ask(), await ask(), await ask()]];
      });
      for (const answers of again ?? []) expect(answers).toEqual(first);
      const { segment_count } = await server.ask<{ segment_count: number }>('get_working_set', { project_id: 'twice' });
      expect(segment_count).toBe(16);
    },
  );

  verifies('context.defects.roots', 'finds no candidate that a root holds', async () => {
    const answer = await usageOf('roots', example());
    const named = answer.pruning_candidates.map(({ segment_id }) => segment_id);
    expect(named).toHaveLength(4);
    expect(named).not.toContain('code-1');
    expect(answer.pruning_candidates_count).toBe(4);
    expect(answer.pruning_candidates.filter(({ segment_type }) => segment_type === 'message')).toHaveLength(2);
  });
});

describe('context_gc_analyze', () => {
  verifies(['context.gc.analyze', 'context.roots'], 'keeps what roots lead to, by reference and by topic', async () => {
    const told = descriptors([
      { segment_id: 'pinned', tags: ['ref:held', 'ref:pinned'] },
      { segment_id: 'held', topic_id: 'cart' },
      { segment_id: 'same-topic', topic_id: 'cart' },
      { segment_id: 'free', tags: ['ref:held'] },
    ]);
    expect(await candidatesOf('reach', told)).toHaveLength(4);
    const { pinned_segments } = await server.ask<PinResult>('gc_pin', { project_id: 'reach', segment_ids: ['pinned'] });
    expect(pinned_segments).toEqual(['pinned']);
    expect(await candidatesOf('reach', told)).toEqual(['free']);
  });

  verifies(
    'context.roots',
    'keeps the current task, the current file, recent messages and fresh decisions',
    async () => {
      const told = descriptors(
        [
          { segment_id: 'of-task', task_id: 'now', created_at: hoursAgo(5) },
          { segment_id: 'of-other', task_id: 'then', created_at: hoursAgo(5) },
          { segment_id: 'open', type: 'code', file_path: './a.ts' },
          { segment_id: 'closed', type: 'code', file_path: 'b.ts' },
          { segment_id: 'fresh', type: 'decision', created_at: hoursAgo(0.9) },
          { segment_id: 'stale', type: 'decision', created_at: hoursAgo(1.2) },
        ],
        { current_file: { path: 'a.ts' }, recent_messages: [{ role: 'user', content: 'hello' }] },
      );
      await server.ask<SetCurrentTaskResult>('set_current_task', { project_id: 'kept', task_id: 'now' });
      expect((await candidatesOf('kept', told)).sort()).toEqual(['closed', 'of-other', 'stale']);
    },
  );

  verifies('context.redundant', 'recognises duplicates, superseded reads and runs, and failed calls', async () => {
    const told = descriptors(
      [
        { segment_id: 'read-1', type: 'code', file_path: 'a.ts', preview: 'const a = 1' },
        { segment_id: 'run-1', preview: '$ npm test\n3 passed' },
        { segment_id: 'copy-1', type: 'note', preview: 'the same words' },
        { segment_id: 'failed', preview: '$ make\nerror: no rule', tags: ['command:make'] },
        { segment_id: 'copy-2', type: 'note', preview: 'the same words' },
        { segment_id: 'run-2', preview: '$ npm  test\n4 passed' },
        { segment_id: 'read-2', type: 'code', file_path: 'a.ts', preview: 'const a = 2' },
        { segment_id: 'last', type: 'decision', preview: 'done' },
      ],
      { current_file: { path: 'a.ts' } },
    );
    const { pruning_candidates, recommendations } = await garbageOf('redundant', told);
    const reason = (id: string): string => pruning_candidates.find(({ segment_id }) => segment_id === id)?.reason ?? '';
    expect(reason('read-1')).toContain('seen again later in read-2');
    expect(reason('run-1')).toContain('seen again later in run-2');
    expect(reason('copy-1')).toContain('same text as copy-2');
    expect(reason('failed')).toContain('output of a failed call');
    expect(reason('read-2')).toBe('');
    expect(recommendations.map(({ reason: why }) => why)).toContain('outputs of failed calls');
    expect(
      pruning_candidates
        .slice(0, 3)
        .map(({ segment_id }) => segment_id)
        .sort(),
    ).toEqual(['copy-1', 'read-1', 'run-1']);
  });

  verifies('context.age-saturates', 'scores a segment of a month like one of a day, within 0 and 1', async () => {
    const told = descriptors([
      { segment_id: 'day', created_at: hoursAgo(25) },
      { segment_id: 'month', created_at: hoursAgo(720) },
      { segment_id: 'decision', type: 'decision', created_at: hoursAgo(8760) },
    ]);
    const { pruning_candidates } = await garbageOf('ages', told);
    const score = Object.fromEntries(pruning_candidates.map(({ segment_id, score }) => [segment_id, score]));
    expect(score['day']).toBe(score['month']);
    expect(score['decision']).toBeLessThan(score['day'] ?? 0);
    for (const value of Object.values(score)) expect(value).toBeLessThanOrEqual(1);
  });

  verifies(['context.delete-confirmed', 'context.recommendation'], 'plans to stash and never to delete', async () => {
    const told = descriptors(
      Array.from({ length: 30 }, (_, at) => ({ segment_id: `log-${at}`, created_at: hoursAgo(500) })),
    );
    const { recommendations, pruning_plan } = await garbageOf('plan', told, { target_tokens: 2500 });
    expect(new Set(recommendations.map(({ action }) => action))).toEqual(new Set(['stash']));
    expect(pruning_plan).toMatchObject({ total_tokens_freed: 2500, delete_segments: [] });
    expect(pruning_plan?.stash_segments).toHaveLength(25);
  });
});
