import { randomBytes } from 'node:crypto';
import type { AnalyzeUsageResult, ContextError, GcAnalyzeResult, TaskSnapshotResult } from '@jeeves/protocol';
import { createMemoryStore } from '@jeeves/store';
import { afterAll, describe, expect, test } from 'vitest';
import { createContextTools } from '../../../src/tools/context/index.ts';

const NOW = Date.parse('2026-03-02T10:00:00Z');
const box = createContextTools({
  storeUrl: 'memory:',
  home: '/nowhere',
  recovery: createMemoryStore(),
  now: () => NOW,
  randomBytes,
});
afterAll(() => box.close());

async function ask<Answer>(name: string, args: object): Promise<Answer> {
  const tool = box.tools.find(({ definition }) => definition.name === `context_${name}`);
  if (tool === undefined) throw new Error('no such tool');
  const { structured } = await tool.run({
    args: tool.definition.input.parse(args),
    requestId: 'req_1',
    client: { name: 'test', version: '1' },
    signal: new AbortController().signal,
    receivedAt: 0,
    emit: () => undefined,
    progress: () => undefined,
  });
  return structured as Answer;
}

type Row = [id: string, type: string, tokens: number, hours: number, more?: object];

function described(current: number, rows: readonly Row[]): object {
  return {
    token_usage: { current, limit: 18_000 },
    segment_summaries: rows.map(([segment_id, type, tokens, hours, more]) => ({
      segment_id,
      type,
      tokens,
      preview: `preview of ${segment_id}`,
      created_at: new Date(NOW - hours * 3_600_000).toISOString(),
      ...more,
    })),
  };
}

/** One segment for each of five reasons, before much that stays: none pays back alone, all together do. */
const scattered: readonly Row[] = [
  ['failed', 'log', 1000, 30, { preview: '$ npm test\nexit code 1' }],
  ['note', 'note', 1000, 29],
  ['read', 'code', 1000, 28, { file_path: 'src/b.ts' }],
  ['read again', 'code', 1000, 27, { file_path: 'src/b.ts' }],
  ['log', 'log', 1000, 26],
  ['kept', 'decision', 9000, 0.4],
];

async function follow(project_id: string, context_descriptors: object): Promise<[AnalyzeUsageResult, GcAnalyzeResult]> {
  const usage = await ask<AnalyzeUsageResult>('analyze_usage', { project_id, context_descriptors });
  expect(usage.next_step.tool).toBe('context_gc_analyze');
  return [usage, await ask('gc_analyze', { ...usage.next_step.arguments, context_descriptors })];
}

describe('clearings that pay in one go alone', () => {
  test('are recommended as one, by every part of the answer', async () => {
    const [usage, garbage] = await follow('five', described(14_000, scattered));
    const [together, ...groups] = usage.clearings;
    expect(together).toMatchObject({ segment_count: 5, tokens_freed: 5000, turns_to_pay_back: 21, recommended: true });
    expect(groups.map(({ recommended }) => recommended)).toEqual(Array.from({ length: 5 }, () => false));
    expect(usage.impact_summary).toMatchObject({ candidates: 5, turns_to_pay_back: 21 });
    expect(usage.suggested_actions).toEqual([
      {
        tool: 'context_gc_prune',
        description: 'Stash everything worth stashing in one go.',
        estimated_tokens_freed: 5000,
      },
    ]);
    expect(usage.recommendations.at(-1)).toBe(
      'Consider stashing 5 segments, everything worth stashing in one go: frees 5000 tokens, pays back after 21 turns.',
    );
    expect(usage.next_step.why).toBe('78 % full: plan how to get to 50 %, pays back after 21 turns.');
    expect(garbage.pruning_plan).toMatchObject({ total_tokens_freed: 5000, turns_to_pay_back: 21 });
  });

  test('are the next step where a plan for less would pay too late', async () => {
    const [usage, garbage] = await follow('less', described(11_000, scattered));
    expect(usage.next_step).toEqual({
      tool: 'context_gc_analyze',
      why: '61 % full: see what to stash. Frees 5000 tokens, pays back after 21 turns.',
      arguments: { project_id: 'less' },
    });
    expect(garbage.next_step.why).toMatch(/^Frees 5000 tokens, pays back after 21 turns;/);
    expect(garbage.next_step.arguments['segment_ids']).toHaveLength(5);
  });
});

test('the next step quotes what its own plan costs, of the same task', async () => {
  const rows: Row[] = [
    ['large', 'log', 6000, 30],
    ['small', 'log', 4000, 29],
    ['kept', 'decision', 3000, 0.4],
  ];
  const context_descriptors = described(13_000, rows);
  const args = { project_id: 'quoted', task_id: 't', context_descriptors };
  const usage = await ask<AnalyzeUsageResult>('analyze_usage', args);
  expect(usage.next_step.arguments).toEqual({ project_id: 'quoted', task_id: 't', target_tokens: 4000 });
  const { pruning_plan } = await ask<GcAnalyzeResult>('gc_analyze', {
    ...usage.next_step.arguments,
    context_descriptors,
  });
  expect([usage.impact_summary.turns_to_pay_back, pruning_plan?.turns_to_pay_back]).toEqual([4, 14]);
  expect(usage.next_step.why).toBe('72 % full: plan how to get to 50 %, pays back after 14 turns.');
});

test('a step that cannot name all segments says of how many its figures are', async () => {
  const rows = Array.from({ length: 300 }, (_, at): Row => [`log ${at}`, 'log', 10, 30]);
  const { next_step } = await ask<GcAnalyzeResult>('gc_analyze', {
    project_id: 'many',
    context_descriptors: described(13_000, rows),
  });
  expect(next_step.arguments['segment_ids']).toHaveLength(200);
  expect(next_step.why).toMatch(/^Frees 3000 tokens, pays back after 0 turns with all 300 segments;/);
});

test('the impact counts the segments whose tokens it adds up', async () => {
  const rows: Row[] = [
    ['log', 'log', 6000, 30],
    ['young summary', 'summary', 20, 0],
    ['kept', 'decision', 3000, 0.4],
  ];
  const usage = await ask<AnalyzeUsageResult>('analyze_usage', {
    project_id: 'counted',
    context_descriptors: described(13_000, rows),
  });
  expect(usage.pruning_candidates_count).toBe(2);
  expect(usage.impact_summary).toMatchObject({ candidates: 1, estimated_tokens_freed: 6000 });
});

test('at exactly 90 % there is something to do now, whenever it pays', async () => {
  const rows: Row[] = [
    ['log', 'log', 900, 3],
    ['kept', 'decision', 15_300, 0.4],
  ];
  const at = async (current: number): Promise<unknown[]> => {
    const context_descriptors = described(current, rows);
    const usage = await ask<AnalyzeUsageResult>('analyze_usage', { project_id: 'full', context_descriptors });
    return [usage.recommendation_details[0]?.priority, usage.clearings[0]?.recommended, usage.next_step.tool];
  };
  expect(await at(16_200)).toEqual(['urgent', true, 'context_gc_analyze']);
  expect(await at(16_199)).toEqual(['high', false, 'context_analyze_usage']);
});

test('a snapshot of nothing says that nothing was captured', async () => {
  const taken = await ask<TaskSnapshotResult>('create_task_snapshot', { project_id: 'empty', task_id: 'unknown' });
  expect(taken.segments_captured).toBe(0);
  expect(taken.next_step).toMatchObject({
    tool: 'context_get_working_set',
    why: expect.stringMatching(/^Nothing was captured/),
  });
  await ask('stash', { project_id: 'empty', segments: [{ text: 'a plan', task_id: 'known' }] });
  const more = await ask<TaskSnapshotResult>('create_task_snapshot', { project_id: 'empty', task_id: 'known' });
  expect(more).toMatchObject({ segments_captured: 1, next_step: { tool: 'context_set_current_task' } });
});

test('details of an error are spelled like all other fields', async () => {
  const restore = async (more: object): Promise<object> =>
    (await ask<ContextError>('get_task_context', { project_id: 'details', ...more })).error.details;
  expect(await restore({ restore_snapshot_id: 'snp_none' })).toEqual({ snapshot_id: 'snp_none' });
  const { snapshot_id } = await ask<TaskSnapshotResult>('create_task_snapshot', {
    project_id: 'details',
    task_id: 'one',
  });
  expect(await restore({ restore_snapshot_id: snapshot_id, task_id: 'two' })).toEqual({ snapshot_task: 'one' });
});
