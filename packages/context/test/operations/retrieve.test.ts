import { createEmbeddedBackend, recover } from '@jeeves/engine';
import { describe, expect, it } from 'vitest';
import { openSite, type Site, withBroken } from '../world.ts';

const log = Array.from({ length: 200 }, (_, at) =>
  at === 120 ? 'ERROR the webhook answered 401: bad signature' : `step ${at} of the build went well`,
).join('\n');

async function stocked(): Promise<Site> {
  const site = openSite();
  const segments = [
    { id: 'log', text: log, type: 'log' as const, tags: [] },
    { id: 'short', text: 'Refunds go through the queue', type: 'note' as const, tags: [] },
    { id: 'other', text: 'Colours of the logo', type: 'note' as const, tags: [] },
  ];
  await site.context.stash({ project: 'shop', segments });
  return site;
}

const backend = createEmbeddedBackend();
const whole = { project: 'shop', activate: false, maxBytes: 100_000 } as const;

describe('retrieving', () => {
  it('gives whole segments by id, and names ids nobody has', async () => {
    const { context } = await stocked();
    const result = await context.retrieve({ ...whole, ids: ['log', 'nobody', 'short', 'log'] });
    expect(result.segments.map(({ text, pruneId }) => [text, pruneId])).toEqual([
      [log, undefined],
      ['Refunds go through the queue', undefined],
    ]);
    expect(result).toMatchObject({ found: 2, moved: [], omitted: [], problems: [{ id: 'nobody', code: 'not_found' }] });
  });

  it('gives all that a filter means, and names what has no room', async () => {
    const { context } = openSite();
    const segments = Array.from({ length: 100 }, (_, at) => ({
      id: `${at}`,
      text: log,
      type: 'log' as const,
      tags: [],
    }));
    await context.stash({ project: 'shop', segments });
    const all = await context.retrieve({ ...whole, filters: { type: 'log' }, maxBytes: 10_000_000 });
    expect([all.segments.length, all.found, all.omitted.length]).toEqual([100, 100, 0]);
    const some = await context.retrieve({ ...whole, filters: { type: 'log' } });
    expect([some.segments.length + some.omitted.length, some.found]).toEqual([100, 100]);
    expect(some.omitted.length).toBeGreaterThan(0);
  });

  it('gives what was only asked to be read where nothing can be written', async () => {
    const { stores } = await stocked();
    const { context } = openSite(withBroken(stores, 'write'));
    const { segments } = await context.retrieve({ ...whole, ids: ['log'] });
    expect(segments.map(({ text }) => text)).toEqual([log]);
    const moving = context.retrieve({ ...whole, ids: ['log'], activate: true });
    await expect(moving).rejects.toMatchObject({ code: 'store_failed' });
  });

  it('shows what it puts back as a part of the working set', async () => {
    const site = await stocked();
    site.now += 1000;
    const { segments, moved } = await site.context.retrieve({ ...whole, ids: ['short'], activate: true });
    expect(moved).toEqual(['short']);
    expect(segments[0]?.meta).toEqual({ ...(await site.meta('short')), facts: segments[0]?.meta.facts });
    expect(segments[0]?.meta).toMatchObject({ tier: 'working', touchedAt: site.now });
  });

  it('gives what a goal is about, and filters', async () => {
    const { context } = await stocked();
    const about = await context.retrieve({ ...whole, about: 'refunds queue' });
    expect(about.segments.map(({ meta }) => meta.segmentId)).toEqual(['short']);
    const byType = await context.retrieve({ ...whole, filters: { type: 'log' } });
    expect(byType.segments.map(({ meta }) => meta.segmentId)).toEqual(['log']);
  });

  it('with a goal leaves lines out that can be recovered byte for byte', async () => {
    const { context, stores } = await stocked();
    const { segments } = await context.retrieve({
      ...whole,
      ids: ['log', 'short'],
      goal: 'Why did the webhook answer 401?',
    });
    const [pruned, short] = segments;
    expect(pruned?.text).toContain('ERROR the webhook answered 401');
    expect(pruned?.text.length).toBeLessThan(log.length / 2);
    expect(short?.text).toBe('Refunds go through the queue');
    expect(short?.pruneId).toBeUndefined();
    const ranges = [{ startLine: 1, endLine: 200 }];
    const recovered = await recover({ pruneId: pruned?.pruneId ?? '', ranges }, { store: stores.recovery, backend });
    expect(recovered.text).toBe(log);
  });

  it('puts what it gives back into the working set when asked, and touches it either way', async () => {
    const site = await stocked();
    site.now += 60_000;
    await site.context.retrieve({ ...whole, ids: ['short'] });
    expect(await site.meta('short')).toMatchObject({ tier: 'stashed', touchedAt: site.now });
    const { moved } = await site.context.retrieve({ ...whole, ids: ['short'], activate: true });
    expect(moved).toEqual(['short']);
    expect((await site.meta('short'))?.tier).toBe('working');
  });

  it('names what has no room, and cuts a single giant so that the rest is recoverable', async () => {
    const { context, stores } = await stocked();
    const tight = await context.retrieve({ ...whole, maxBytes: 60, ids: ['short', 'other', 'log'] });
    expect(tight.segments.map(({ meta }) => meta.segmentId)).toEqual(['short', 'other']);
    expect(tight.omitted).toEqual(['log']);
    const [giant] = (await context.retrieve({ ...whole, maxBytes: 100, ids: ['log'] })).segments;
    expect(log.startsWith(giant?.text ?? '-')).toBe(true);
    expect(giant?.text.endsWith('\n')).toBe(true);
    expect(JSON.stringify(giant?.text).length).toBeLessThanOrEqual(100);
    const ranges = [{ startLine: 121, endLine: 121 }];
    const recovered = await recover({ pruneId: giant?.pruneId ?? '', ranges }, { store: stores.recovery, backend });
    expect(recovered.text).toContain('bad signature');
  });
});
