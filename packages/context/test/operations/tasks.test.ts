import { describe, expect, it } from 'vitest';
import { described, openSite, type Site } from '../world.ts';

async function working(): Promise<Site> {
  const site = openSite();
  await site.context.setTask('shop', 'refunds');
  const descriptors = described([{ id: 'a' }, { id: 'b', task: 'other' }, { id: 'c' }]);
  await site.context.analyzeUsage({ project: 'shop', descriptors });
  await site.context.collect({ project: 'shop', ids: ['c'], action: 'stash', confirm: false });
  return site;
}

const room = { maxBytes: 100_000 };

function plan(text: string): Parameters<Site['context']['stash']>[0] {
  return { project: 'shop', segments: [{ id: 'plan', text, type: 'note', task: 'refunds', tags: [] }] };
}

describe('tasks', () => {
  it('are switched, and say which one was before', async () => {
    const { context } = openSite();
    expect(await context.setTask('shop', 'a')).toEqual({ previous: undefined, working: 0 });
    expect(await context.setTask('shop', 'b')).toEqual({ previous: 'a', working: 0 });
    expect(await context.setTask('shop', undefined)).toEqual({ previous: 'b', working: 0 });
  });

  it('get what is described while they are current', async () => {
    const { context } = await working();
    const found = await context.taskContext({ project: 'shop', ...room });
    expect(found).toMatchObject({ task: 'refunds', current: true, tokens: 200, count: 2, omitted: [] });
    expect(found.segments.map(({ meta, text }) => [meta.segmentId, meta.tier, text])).toEqual([
      ['a', 'working', 'preview of a'],
      ['c', 'stashed', 'preview of c'],
    ]);
  });

  it('without one there is nothing but the list of snapshots', async () => {
    const { context } = openSite();
    expect(await context.taskContext({ project: 'shop', ...room })).toMatchObject({
      count: 0,
      segments: [],
      snapshots: [],
    });
    await expect(context.createSnapshot({ project: 'shop' })).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});

describe('snapshots', () => {
  it('hold the task as it was, and never each other', async () => {
    const { context } = await working();
    for (let at = 1; at <= 4; at += 1) {
      const snapshot = await context.createSnapshot({ project: 'shop', name: `number ${at}` });
      expect(snapshot).toMatchObject({ taskId: 'refunds', segments: 2, tokens: 200, name: `number ${at}` });
    }
    const { snapshots, count } = await context.taskContext({ project: 'shop', ...room });
    expect(snapshots).toHaveLength(4);
    expect(count).toBe(2);
  });

  it('bring back what was deleted, stashed and changed since', async () => {
    const site = await working();
    const { snapshotId } = await site.context.createSnapshot({ project: 'shop' });
    await site.context.collect({ project: 'shop', ids: ['a', 'c'], action: 'delete', confirm: true });
    await site.context.setTask('shop', 'other');
    const found = await site.context.taskContext({ project: 'shop', restore: snapshotId, ...room });
    expect(found).toMatchObject({ task: 'refunds', current: false, restored: ['a'], count: 2 });
    expect(await site.meta('a')).toMatchObject({ tier: 'working', taskId: 'refunds' });
    expect(await site.meta('c')).toMatchObject({ tier: 'stashed', taskId: 'refunds' });
    expect(await site.text('a')).toBe('preview of a');
  });

  it('bring back texts and pins as they were, and keep what came later under a name of its own', async () => {
    const site = openSite();
    await site.context.stash(plan('the first plan'));
    await site.context.retrieve({ project: 'shop', ids: ['plan'], activate: true, ...room });
    await site.context.setPinned('shop', ['plan'], true);
    const { snapshotId } = await site.context.createSnapshot({ project: 'shop', task: 'refunds' });
    await site.context.setPinned('shop', ['plan'], false);
    await site.context.stash(plan('the second plan'));
    expect(await site.text('plan')).toBe('the second plan');
    const restore = { project: 'shop', restore: snapshotId, ...room };
    const { restored, setAside = [] } = await site.context.taskContext(restore);
    expect(restored).toEqual(['plan']);
    expect(await site.text('plan')).toBe('the first plan');
    expect(await site.meta('plan')).toMatchObject({ tier: 'working', pinned: true, taskId: 'refunds' });
    expect(setAside).toHaveLength(1);
    expect(await site.text(setAside[0] ?? '')).toBe('the second plan');
    expect((await site.meta(setAside[0] ?? ''))?.tier).toBe('stashed');
    // Once more changes nothing.
    expect((await site.context.taskContext(restore)).setAside).toEqual([]);
  });

  it('put stashed segments back into the working set', async () => {
    const site = await working();
    const { snapshotId } = await site.context.createSnapshot({ project: 'shop' });
    await site.context.stash({ project: 'shop', filters: {} });
    expect((await site.meta('a'))?.tier).toBe('stashed');
    await site.context.taskContext({ project: 'shop', restore: snapshotId, ...room });
    expect((await site.meta('a'))?.tier).toBe('working');
    expect((await site.meta('b'))?.tier).toBe('stashed');
  });

  it('are of one project and one task', async () => {
    const site = await working();
    const { snapshotId } = await site.context.createSnapshot({ project: 'shop' });
    const restore = { restore: snapshotId, ...room };
    await expect(site.context.taskContext({ project: 'bank', ...restore })).rejects.toMatchObject({
      code: 'snapshot_not_found',
    });
    await expect(site.context.taskContext({ project: 'shop', task: 'other', ...restore })).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
  });
});

describe('names', () => {
  const names: [string, string][] = [
    ['a path', '../../x'],
    ['a NUL', 'a\0b'],
    ['ten kilobytes', 'long '.repeat(2000)],
    ['emoji', '🛒🔥'],
    ['a word of JavaScript', '__proto__'],
    ['SQL', "x'; DROP TABLE segments; --"],
  ];
  it.each(names)('can be %s', async (_, name) => {
    const site = openSite();
    const descriptors = described([{ id: name, task: name, tags: [name] }]);
    const { usage } = await site.context.analyzeUsage({ project: name, descriptors });
    expect(usage.tokensByTask.get(name)).toBe(100);
    expect((await site.context.setPinned(name, [name], true)).done).toEqual([name]);
    await site.context.setPinned(name, [name], false);
    expect((await site.context.stash({ project: name, ids: [name] })).done).toEqual([name]);
    const { segments } = await site.context.retrieve({ project: name, ids: [name], activate: true, ...room });
    expect(segments[0]?.meta).toMatchObject({ projectId: name, segmentId: name, taskId: name, tags: [name] });
    await site.context.createSnapshot({ project: name, task: name, name });
    expect((await site.context.taskContext({ project: name, task: name, ...room })).snapshots[0]?.name).toBe(name);
    expect((await site.context.projects()).map(({ projectId }) => projectId)).toEqual([name]);
  });
});
