import { describe, expect, it } from 'vitest';
import { described, openSite, type Site, withBroken } from '../world.ts';

async function filled(site: Site = openSite()): Promise<Site> {
  const descriptors = described([{ id: 'a' }, { id: 'b', tokens: 50 }, { id: 'c' }, { id: 'd' }]);
  await site.context.analyzeUsage({ project: 'shop', descriptors });
  return site;
}

const stashing = { project: 'shop', action: 'stash', confirm: false } as const;

describe('collecting', () => {
  it('stashes what it can and names the rest, each with its reason', async () => {
    const site = await filled();
    await site.context.setPinned('shop', ['c'], true);
    await site.context.collect({ ...stashing, ids: ['d'] });
    const result = await site.context.collect({ ...stashing, ids: ['a', 'nobody', 'c', 'd', 'b', 'a'] });
    expect(result).toEqual({
      done: ['a', 'b'],
      tokens: 150,
      previews: ['a', 'b'],
      problems: [
        { id: 'nobody', code: 'not_found' },
        { id: 'c', code: 'pinned' },
        { id: 'd', code: 'not_active' },
      ],
    });
    expect((await site.meta('c'))?.tier).toBe('working');
  });

  it('deletes only when it is confirmed, working and stashed segments alike, pinned ones never', async () => {
    const site = await filled();
    await site.context.setPinned('shop', ['c'], true);
    await site.context.collect({ ...stashing, ids: ['a'] });
    const request = { project: 'shop', ids: ['a', 'b', 'c'], action: 'delete' } as const;
    await expect(site.context.collect({ ...request, confirm: false })).rejects.toMatchObject({
      code: 'confirmation_required',
    });
    expect(await site.meta('a')).toBeDefined();
    const { done, tokens, problems } = await site.context.collect({ ...request, confirm: true });
    expect({ done, tokens, problems }).toEqual({
      done: ['a', 'b'],
      tokens: 50,
      problems: [{ id: 'c', code: 'pinned' }],
    });
    expect(await site.meta('a')).toBeUndefined();
    expect(await site.meta('c')).toBeDefined();
  });

  it('ages what stays: survivals and generation follow', async () => {
    const site = await filled();
    const standing = async () => {
      const { survivals = -1, generation } = (await site.meta('d')) ?? {};
      return [survivals, generation];
    };
    expect(await standing()).toEqual([0, 'young']);
    await site.context.collect({ ...stashing, ids: ['a'] });
    expect(await standing()).toEqual([1, 'young']);
    await site.context.collect({ ...stashing, ids: ['nobody'] });
    expect(await standing()).toEqual([1, 'young']);
    await site.context.collect({ ...stashing, ids: ['b'] });
    expect(await standing()).toEqual([2, 'old']);
    const { findings } = await site.context.analyzeGarbage({ project: 'shop' });
    expect(findings.best.find(({ id }) => id === 'd')?.reason).toContain('old generation');
  });

  it('changes nothing when the store fails', async () => {
    const site = await filled();
    const failing = openSite(withBroken(site.stores, 'write'));
    await expect(failing.context.collect({ ...stashing, ids: ['a'] })).rejects.toMatchObject({ code: 'store_failed' });
    expect((await site.meta('a'))?.tier).toBe('working');
  });
});

describe('pins', () => {
  it('are set and taken back, and unknown ids named', async () => {
    const site = await filled();
    expect(await site.context.setPinned('shop', ['a', 'nobody'], true)).toMatchObject({
      done: ['a'],
      problems: [{ id: 'nobody', code: 'not_found' }],
    });
    expect((await site.meta('a'))?.pinned).toBe(true);
    const candidates = async (): Promise<string[]> =>
      (await site.context.analyzeGarbage({ project: 'shop' })).findings.best.map(({ id }) => id).sort();
    expect(await candidates()).toEqual(['b', 'c', 'd']);
    await site.context.setPinned('shop', ['a'], false);
    expect(await candidates()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('of another process are seen', async () => {
    const site = await filled();
    const other = openSite(site.stores);
    await site.context.analyzeGarbage({ project: 'shop' });
    await other.context.setPinned('shop', ['a'], true);
    await other.context.collect({ ...stashing, ids: ['b'] });
    await other.context.collect({ project: 'shop', ids: ['c'], action: 'delete', confirm: true });
    expect((await site.context.analyzeGarbage({ project: 'shop' })).findings.best.map(({ id }) => id)).toEqual(['d']);
    expect(
      (await site.context.workingSet({ project: 'shop', limit: 9 })).metas.map(({ segmentId }) => segmentId),
    ).toEqual(['a', 'd']);
  });
});
