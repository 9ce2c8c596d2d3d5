import type {
  AnalyzeUsageResult,
  GcAnalyzeResult,
  GcPruneResult,
  PinResult,
  RecoverTextResult,
  RetrieveStashedResult,
  SearchStashedResult,
  SetCurrentTaskResult,
  StashResult,
  TaskContextResult,
  TaskSnapshotResult,
  WorkingSetResult,
} from '@jeeves/protocol';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { Platform } from './platform.ts';
import { type ContextServer, cleanUpAfterwards, freshStore, startContext } from './server.ts';
import { type Event, transcript } from './transcript.ts';

const project_id = 'shop';
const events = transcript();
const refunds = events.filter(({ task }) => task === 'refunds');
const webhook = events.filter(({ task }) => task === 'webhook');
const byId = new Map(events.map((event) => [event.id, event]));

cleanUpAfterwards();

describe('two hours of an agent at work', () => {
  verifies('context.workflow', 'are recorded with everything that happens in them', () => {
    expect(events.length).toBeGreaterThanOrEqual(150);
    expect(events.at(-1)?.minute).toBeGreaterThan(105);
    expect(events.at(-1)?.minute).toBeLessThan(120);
    for (const type of ['message', 'code', 'log', 'note', 'decision']) {
      expect(events.filter((event) => event.type === type).length, type).toBeGreaterThan(2);
    }
  });

  verifies(
    ['context.workflow', 'context.snapshot', 'context.task-context', 'context.stash-durable', 'context.next-step'],
    'go through usage, analysis, pruning, search, retrieval, a task switch, a crash and a restore',
    async () => {
      const store = freshStore();
      const start = Date.now() - 120 * 60_000;
      const platform = new Platform(40_000, start);
      let server = await startContext({ store });

      await server.ask<SetCurrentTaskResult>('set_current_task', { project_id, task_id: 'refunds' });
      const steps = await fillUp(server, platform);
      expect(steps[0]).toBe('context_analyze_usage');
      expect(steps.at(-1)).toBe('context_gc_analyze');
      await keepRequirement(server);
      await makeRoom(server, platform);
      await findAgain(server);
      const snapshot = await switchTask(server, platform);

      await server.kill();
      server = await startContext({ store });
      await findAgain(server);
      await comeBack(server, snapshot);
      await server.process.close();
    },
  );
});

/** The agent works and looks at its usage now and then; what it is told to do next changes as the window fills. */
async function fillUp(server: ContextServer, platform: Platform): Promise<string[]> {
  const steps: string[] = [];
  let before = 0;
  for (let at = 0; at < refunds.length; at += 20) {
    platform.take(refunds.slice(at, at + 20));
    const context_descriptors = platform.describe('refunds', 'src/refund.ts');
    const args = { project_id, context_descriptors, task_id: 'refunds' };
    const usage = await server.ask<AnalyzeUsageResult>('analyze_usage', args);
    expect(usage.current_tokens).toBe(platform.tokens);
    expect(usage.usage_percent).toBe(Math.round((100 * platform.tokens) / platform.limit));
    expect(usage.usage_percent).toBeGreaterThan(before);
    expect(usage.usage_metrics.total_segments).toBe(platform.window.size);
    before = usage.usage_percent;
    steps.push(usage.next_step.tool);
  }
  return steps;
}

/** What the user said about invoices must stay, however full it gets. */
async function keepRequirement(server: ContextServer): Promise<void> {
  const wish = refunds.find(({ text }) => text.includes('invoice numbers')) as Event;
  const { pinned_segments } = await server.ask<PinResult>('gc_pin', { project_id, segment_ids: [wish.id] });
  expect(pinned_segments).toEqual([wish.id]);
}

async function makeRoom(server: ContextServer, platform: Platform): Promise<void> {
  const context_descriptors = platform.describe('refunds', 'src/refund.ts');
  const analysis = await server.ask<GcAnalyzeResult>('gc_analyze', {
    project_id,
    context_descriptors,
    target_tokens: 12_000,
  });
  const plan = analysis.pruning_plan;
  const planned = new Set(plan?.stash_segments);
  expect(plan?.reason).toContain('target met');
  expect(plan?.total_tokens_freed).toBeGreaterThanOrEqual(12_000);
  expect(plan?.delete_segments).toEqual([]);
  expect(plan?.cached_tokens_invalidated).toBeGreaterThan(0);
  expect(plan?.turns_to_pay_back).toBeGreaterThan(0);
  expectSuperseded(analysis);

  // The last read of the file under work, the last messages, the pin and the decisions stay.
  const kept = refunds.filter(({ id }) => !planned.has(id));
  expect(kept.map(({ text }) => text)).toContain('Do not touch the invoice numbers.');
  expect(kept.findLast(({ file }) => file === 'src/refund.ts')).toBe(
    refunds.findLast(({ file }) => file === 'src/refund.ts'),
  );
  for (const message of refunds.filter(({ type }) => type === 'message').slice(-10))
    expect(planned).not.toContain(message.id);

  expect(analysis.next_step).toMatchObject({ tool: 'context_gc_prune', arguments: { project_id, action: 'stash' } });
  const pruned = await server.ask<GcPruneResult>('gc_prune', analysis.next_step.arguments);
  expect(new Set(pruned.pruned_segments)).toEqual(planned);
  expect(pruned.tokens_freed).toBe(plan?.total_tokens_freed);
  expect(pruned.errors).toEqual([]);

  await sendTexts(server, pruned);

  const before = platform.tokens;
  platform.drop(pruned.pruned_segments);
  expect(platform.tokens).toBeLessThanOrEqual(before - 12_000);
}

/** Only previews are known so far, and the server says so; the platform still has the texts. */
async function sendTexts(server: ContextServer, pruned: GcPruneResult): Promise<void> {
  expect(pruned.previews_only.length).toBeGreaterThan(10);
  expect(pruned.next_step.tool).toBe('context_stash');
  const segments = pruned.previews_only.map((id) => ({
    segment_id: id,
    text: byId.get(id)?.text,
    type: byId.get(id)?.type,
  }));
  const stashed = await server.ask<StashResult>('stash', { project_id, segments });
  expect(stashed.previews_only).toEqual([]);
}

/** Of every file and command that was seen again, the earlier times are offered, and they are the first to go. */
function expectSuperseded({ recommendations, pruning_plan }: GcAnalyzeResult): void {
  const offered = recommendations.flatMap(({ segment_ids }) => segment_ids);
  for (const again of [
    'File: src/payment.ts',
    'File: src/refund.ts',
    '$ npm run build',
    '$ npm test\n',
    '$ git diff',
  ]) {
    const earlier = refunds.filter(({ text }) => text.startsWith(again)).slice(0, -1);
    expect(earlier.length).toBeGreaterThan(2);
    for (const { id } of earlier) expect(offered).toContain(id);
  }
  for (const { reason } of pruning_plan?.candidates.slice(0, 10) ?? [])
    expect(reason).toMatch(/^(seen again|same text)/);
}

async function findAgain(server: ContextServer): Promise<void> {
  const query = 'which test of the refund rounding failed?';
  const found = await server.ask<SearchStashedResult>('search_stashed', { project_id, query, limit: 5 });
  const best = found.segments[0];
  expect(byId.get(best?.segment_id ?? '')?.text).toContain('rounds the last part');
  expect(best?.text_complete).toBe(true);

  expect(found.next_step.tool).toBe('context_retrieve_stashed');
  const retrieved = await server.ask<RetrieveStashedResult>('retrieve_stashed', found.next_step.arguments);
  const [segment] = retrieved.retrieved_segments;
  const whole = byId.get(segment?.segment_id ?? '')?.text ?? '';
  expect(segment?.text).toContain('✗ refund › rounds the last part');
  expect(segment?.text.length).toBeLessThan(whole.length / 2);
  const ranges = [{ start_line: 1, end_line: whole.split('\n').length }];
  const recovered = await server.process.call('recover_text', { prune_id: segment?.prune_id, ranges });
  expect((recovered.structuredContent as unknown as RecoverTextResult).raw_text).toBe(whole);
}

async function switchTask(server: ContextServer, platform: Platform): Promise<TaskSnapshotResult> {
  const snapshot = await server.ask<TaskSnapshotResult>('create_task_snapshot', {
    project_id,
    name: 'before the webhook',
  });
  expect(snapshot).toMatchObject({ task_id: 'refunds', segments_captured: refunds.length });
  const switched = await server.ask<SetCurrentTaskResult>('set_current_task', { project_id, task_id: 'webhook' });
  expect(switched).toMatchObject({
    previous_task_id: 'refunds',
    current_task_id: 'webhook',
    working_set_updated: true,
  });

  platform.take(webhook);
  const context_descriptors = platform.describe('webhook', 'src/webhook.ts');
  const { recommendations } = await server.ask<GcAnalyzeResult>('gc_analyze', { project_id, context_descriptors });
  const offered = new Set(recommendations.flatMap(({ segment_ids }) => segment_ids));
  expect(refunds.filter(({ id }) => offered.has(id)).length).toBeGreaterThan(5);
  expect(offered).not.toContain(webhook.findLast(({ file }) => file === 'src/webhook.ts')?.id);

  // The rest of the old task leaves the window; the pinned wish does not.
  const left = refunds.filter(({ id }) => platform.window.has(id)).map(({ id }) => id);
  const pruned = await server.ask<GcPruneResult>('gc_prune', { project_id, segment_ids: left, action: 'stash' });
  expect(pruned.errors).toHaveLength(1);
  expect(pruned.errors[0]).toMatchObject({ code: 'SEGMENT_PINNED' });
  await sendTexts(server, pruned);
  platform.drop(pruned.pruned_segments);
  return snapshot;
}

async function comeBack(server: ContextServer, snapshot: TaskSnapshotResult): Promise<void> {
  const listed = await server.ask<TaskContextResult>('get_task_context', { project_id, task_id: 'refunds' });
  expect(listed.active).toBe(false);
  expect(listed.snapshots.map(({ snapshot_id, name }) => [snapshot_id, name])).toEqual([
    [snapshot.snapshot_id, 'before the webhook'],
  ]);
  expect(listed.segment_count).toBe(refunds.length);

  const before = await server.ask<WorkingSetResult>('get_working_set', { project_id, task_id: 'refunds' });
  expect(before.segments.map(({ pinned }) => pinned)).toEqual([true]);
  const restored = await server.ask<TaskContextResult>('get_task_context', {
    project_id,
    restore_snapshot_id: snapshot.snapshot_id,
  });
  expect(restored.task_id).toBe('refunds');
  const back = restored.restored_segments ?? [];
  expect(back.length).toBeGreaterThan(20);
  const working = await server.ask<WorkingSetResult>('get_working_set', { project_id, task_id: 'refunds' });
  expect(new Set(working.segments.map(({ segment_id }) => segment_id))).toEqual(new Set(back));
  for (const { segment_id, text, text_complete, type } of restored.segments) {
    const whole = byId.get(segment_id)?.text ?? '';
    if (type === 'message') expect(text).toBe(`${byId.get(segment_id)?.role}: ${whole}`);
    else if (text_complete) expect(text).toBe(whole);
    else expect(whole.startsWith(text.slice(0, 100))).toBe(true);
  }
}
