import { describe, expect, it } from 'vitest';
import { described, HOUR, openSite, type Site, withBroken } from '../world.ts';

/** Everything an analysis answers, with the reasons spelled out. */
async function answers(
  site: Site,
  descriptors: ReturnType<typeof described> | undefined,
  task?: string,
): Promise<string> {
  const usage = await site.context.analyzeUsage({ project: 'shop', descriptors, task });
  const garbage = await site.context.analyzeGarbage({ project: 'shop', descriptors, task, target: 500 });
  return JSON.stringify([usage, garbage], (_, value: unknown) => {
    if (typeof value === 'function') return (value as () => string)();
    return value instanceof Map ? [...value] : value;
  });
}

const old = Date.parse('2026-03-01T06:00:00Z');
const first = described(
  [
    { id: 'a', createdAt: old },
    { id: 'b', type: 'code', file: 'src/b.ts', createdAt: old },
  ],
  {
    messages: [{ role: 'user', content: 'Fix the basket' }],
    currentFile: 'src/b.ts',
  },
);

describe('analysis', () => {
  it('sees what another process pins, stashes and collects', async () => {
    const site = openSite();
    const other = openSite(site.stores).context;
    const segments = ['a', 'b', 'c'].map((id) => ({ id, createdAt: old }));
    await site.context.analyzeUsage({ project: 'shop', descriptors: described(segments) });
    const look = async (): Promise<unknown[]> => {
      const { usage, findings } = await site.context.analyzeUsage({ project: 'shop' });
      const aged = findings.best.filter(({ reason }) => reason.includes('old generation'));
      return [usage.totalSegments, usage.pinnedSegments, findings.best.map(({ id }) => id).sort(), aged.length];
    };
    expect(await look()).toEqual([3, 0, ['a', 'b', 'c'], 0]);
    await other.setPinned('shop', ['a'], true);
    expect(await look()).toEqual([3, 1, ['b', 'c'], 0]);
    await other.setPinned('shop', ['a'], false);
    expect(await look()).toEqual([3, 0, ['a', 'b', 'c'], 0]);
    await other.stash({ project: 'shop', segments: [{ text: 'aside', type: 'note', tags: [] }] });
    expect(await look()).toEqual([3, 0, ['a', 'b', 'c'], 0]);
    await other.collect({ project: 'shop', ids: ['b'], action: 'stash', confirm: false });
    expect(await look()).toEqual([2, 0, ['a', 'c'], 0]);
    await other.collect({ project: 'shop', ids: ['c'], action: 'delete', confirm: true });
    expect(await look()).toEqual([1, 0, ['a'], 1]);
  });

  it('gives the same answer to the same descriptors, and changes nothing', async () => {
    const site = openSite();
    const before = await answers(site, first);
    expect(before).toContain('"id":"a"');
    const stored = await site.stores.segments.list('shop');
    expect(await answers(site, first)).toBe(before);
    expect(await site.stores.segments.list('shop')).toEqual(stored);
    expect(stored.map(({ segmentId }) => segmentId)).toHaveLength(3);
  });

  it('is not moved by what was described in between', async () => {
    const site = openSite();
    const before = await answers(site, first);
    await answers(site, described([{ id: 'c' }, { id: 'd', type: 'note' }], { task: 'other' }), 'other');
    await answers(site, described([{ id: 'e', task: 'named' }], { task: 'named' }));
    await answers(site, described([{ id: 'a', tokens: 9999, preview: 'quite another' }]), 'a task');
    expect(await answers(site, first)).toBe(before);
  });

  it('answers within the same minute alike, and ages with the clock', async () => {
    const site = openSite();
    const before = await answers(site, first);
    site.now += 39_000;
    expect(await answers(site, first)).toBe(before);
    site.now += HOUR;
    expect(await answers(site, first)).not.toBe(before);
  });

  it('without descriptors looks at the working set as it is known', async () => {
    const site = openSite();
    expect((await site.context.analyzeUsage({ project: 'shop' })).usage.totalSegments).toBe(0);
    await answers(site, first);
    const { usage, fill, findings } = await site.context.analyzeUsage({ project: 'shop', limit: 1000 });
    expect(usage.totalSegments).toBe(3);
    expect(fill).toMatchObject({ current: usage.totalTokens, limit: 1000 });
    expect(findings.best.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('counts a message once, however often it is sent', async () => {
    const site = openSite();
    const messages = Array.from({ length: 12 }, (_, at) => ({ role: 'user', content: `message ${at % 11}` }));
    const { usage, findings } = await site.context.analyzeUsage({
      project: 'shop',
      descriptors: described([], { messages }),
    });
    expect(usage.totalSegments).toBe(11);
    // The last ten stay; message 0 was said again at the end, so number 1 is the oldest.
    expect(findings.best).toHaveLength(1);
    expect(await site.text(findings.best[0]?.id ?? '')).toBe('user: message 1');
  });

  it('takes the platform’s count of a message over its own, also when it comes later', async () => {
    const site = openSite();
    const total = async (tokens?: number): Promise<number> => {
      const messages = [{ id: 'm', role: 'user', content: 'Fix the basket', tokens }];
      const descriptors = described([], { messages });
      return (await site.context.analyzeUsage({ project: 'shop', descriptors })).usage.totalTokens;
    };
    expect(await total()).toBeLessThan(100);
    expect(await total(4321)).toBe(4321);
    expect(await site.meta('m')).toMatchObject({ tokens: 4321, textComplete: true });
  });

  it('leaves a segment with the task it came with, unless somebody says otherwise', async () => {
    const site = openSite();
    const tasks = async (segment: object, more: object = {}, task?: string): Promise<unknown[]> => {
      const descriptors = described([{ id: 'a', ...segment }], more);
      const { usage } = await site.context.analyzeUsage({ project: 'shop', descriptors, task });
      return [...usage.tokensByTask.keys()];
    };
    expect(await tasks({}, { task: 'first' })).toEqual(['first']);
    await site.context.setTask('shop', 'second');
    expect(await tasks({})).toEqual(['first']);
    expect(await tasks({}, { task: 'third' })).toEqual(['first']);
    expect(await tasks({ task: 'named' }, { task: 'third' })).toEqual(['named']);
    expect(await tasks({}, {}, 'asked')).toEqual(['asked']);
    expect((await site.meta('a'))?.taskId).toBe('first');
  });

  it('names described segments that the stash has, and counts them no more', async () => {
    const site = openSite();
    await answers(site, first);
    await site.context.collect({ project: 'shop', ids: ['a'], action: 'stash', confirm: false });
    const { usage, stashedAlready, warnings } = await site.context.analyzeUsage({
      project: 'shop',
      descriptors: first,
    });
    expect(usage.totalSegments).toBe(2);
    expect(stashedAlready).toEqual(['a']);
    expect(warnings.join()).toContain('in the stash already');
    expect((await site.meta('a'))?.tier).toBe('stashed');
  });

  it('counts what came back from the stash, until it is stashed again', async () => {
    const site = openSite();
    await site.context.stash({ project: 'shop', segments: [{ id: 'back', text: 'x', type: 'note', tags: [] }] });
    const total = async (): Promise<number> =>
      (await site.context.analyzeUsage({ project: 'shop', descriptors: first })).usage.totalSegments;
    expect(await total()).toBe(3);
    await site.context.retrieve({ project: 'shop', ids: ['back'], activate: true, maxBytes: 100 });
    expect(await total()).toBe(4);
    await site.context.stash({ project: 'shop', ids: ['back'] });
    expect(await total()).toBe(3);
  });

  it('limits itself to a task when asked', async () => {
    const site = openSite();
    const segments = described([{ id: 'a', task: 't' }, { id: 'b', task: 'u' }, { id: 'c' }]);
    const seen = async (task?: string): Promise<string[]> =>
      (await site.context.analyzeGarbage({ project: 'shop', descriptors: segments, task })).findings.best.map(
        ({ id }) => id,
      );
    expect(await seen()).toEqual(['a', 'b', 'c']);
    expect(await seen('t')).toEqual(['a', 'c']);
    expect(await seen('u')).toEqual(['b', 'c']);
  });

  it('holds the segments of the current task', async () => {
    const site = openSite();
    const segments = described([
      { id: 'a', task: 't' },
      { id: 'b', task: 'u' },
    ]);
    const free = async (more: object = {}): Promise<string[]> =>
      (await site.context.analyzeGarbage({ project: 'shop', descriptors: { ...segments, ...more } })).findings.best.map(
        ({ id }) => id,
      );
    await site.context.setTask('shop', 't');
    expect(await free()).toEqual(['b']);
    expect(await free({ task: 'u' })).toEqual(['a']);
    await site.context.setTask('shop', undefined);
    expect(await free()).toEqual(['a', 'b']);
  });

  it('takes a new preview of what it knows by preview, and never for a whole text', async () => {
    const site = openSite();
    const tell = (preview: string) =>
      site.context.analyzeUsage({ project: 'shop', descriptors: described([{ id: 'a', preview }]) });
    await tell('first');
    await tell('second');
    expect(await site.text('a')).toBe('second');
    await site.context.stash({ project: 'shop', segments: [{ id: 'a', text: 'whole', type: 'log', tags: [] }] });
    await tell('third');
    expect(await site.text('a')).toBe('whole');
  });

  it.each(['write', 'project'] as const)('stands when the store fails at %s, and says so', async (method) => {
    const site = openSite();
    const failing = openSite(withBroken(site.stores, method));
    const { usage, warnings } = await failing.context.analyzeUsage({ project: 'shop', descriptors: first });
    expect(usage.totalSegments).toBe(3);
    expect(warnings.join()).toContain('the disk is full');
  });
});
