import type { GivenSegment } from '@jeeves/context';
import { describe, expect, it } from 'vitest';
import { described, openSite, type Site } from '../world.ts';

const note = (text: string, more: Partial<GivenSegment> = {}): GivenSegment => ({
  text,
  type: 'note',
  tags: [],
  ...more,
});

async function filled(): Promise<Site> {
  const site = openSite();
  const descriptors = described([
    { id: 'a', preview: '$ npm run build\nwebpack compiled the payment page', task: 't' },
    { id: 'b', preview: 'The payment webhook is verified by its signature', type: 'note' },
    { id: 'c', preview: 'unrelated colours of the logo', type: 'note', tags: ['design'] },
  ]);
  await site.context.analyzeUsage({ project: 'shop', descriptors });
  return site;
}

describe('stashing', () => {
  it('takes texts as they are, whole, in one call', async () => {
    const site = openSite();
    const text = 'line 1\r\nline 2\u2028\n\n⟦pruned 1-2 (2 lines)⟧';
    const { done, tokens, matched, previews } = await site.context.stash({
      project: 'shop',
      segments: [note(text), note('b')],
    });
    expect(matched).toBe(2);
    expect(tokens).toBeGreaterThan(10);
    expect(previews).toEqual([]);
    expect(await site.text(done[0] ?? '')).toBe(text);
    expect(await site.meta(done[0] ?? '')).toMatchObject({ tier: 'stashed', textComplete: true, type: 'note' });
  });

  it('holds a text once, however often it comes', async () => {
    const site = openSite();
    const once = await site.context.stash({ project: 'shop', segments: [note('a')] });
    const again = await site.context.stash({
      project: 'shop',
      segments: [note('a'), note('a'), note('a', { type: 'log' })],
    });
    expect(again.done[0]).toBe(once.done[0]);
    expect(again.done).toHaveLength(2);
    expect(await site.stores.segments.list('shop')).toHaveLength(2);
  });

  it('keeps the platform’s count when the whole text comes, and takes a new one', async () => {
    const site = await filled();
    await site.context.stash({ project: 'shop', segments: [note('the whole of it', { id: 'a' })] });
    expect(await site.meta('a')).toMatchObject({ textComplete: true, tokens: 100 });
    const { tokens } = await site.context.stash({
      project: 'shop',
      segments: [note('the whole of it', { id: 'a', tokens: 77 }), note('new', { id: 'n', tokens: 5000 })],
    });
    expect(tokens).toBe(5077);
    expect(await site.meta('n')).toMatchObject({ tokens: 5000 });
  });

  it('stashes a preview as that preview, and the whole text once it is given', async () => {
    const site = await filled();
    expect((await site.context.stash({ project: 'shop', ids: ['a'] })).previews).toEqual(['a']);
    expect(await site.meta('a')).toMatchObject({ tier: 'stashed', textComplete: false });
    const whole = '$ npm run build\nwebpack compiled the payment page\nin 3 s';
    const { previews } = await site.context.stash({ project: 'shop', segments: [note(whole, { id: 'a' })] });
    expect(previews).toEqual([]);
    expect(await site.meta('a')).toMatchObject({ tier: 'stashed', textComplete: true });
    expect(await site.text('a')).toBe(whole);
  });

  it('keeps what is said with the text of a segment it knows, and what was known where nothing is said', async () => {
    const site = await filled();
    const segment = note('whole', { id: 'a', file: 'src/pay.ts', topic: 'pay', tags: ['auth', 'ref:b'] });
    await site.context.stash({ project: 'shop', segments: [segment] });
    expect(await site.meta('a')).toMatchObject({
      taskId: 't',
      type: 'log',
      file: 'src/pay.ts',
      topic: 'pay',
      tags: ['auth', 'ref:b'],
      references: ['b'],
    });
    const { matches } = await site.context.search({ project: 'shop', filters: { tags: ['auth'] }, limit: 5 });
    expect(matches.map(({ meta }) => meta.segmentId)).toEqual(['a']);
    await site.context.stash({ project: 'shop', segments: [note('whole', { id: 'a' })] });
    expect(await site.meta('a')).toMatchObject({ taskId: 't', file: 'src/pay.ts', tags: ['auth', 'ref:b'] });
  });

  const selections: [string, object, string[]][] = [
    ['ids', { ids: ['a', 'c'] }, ['a', 'c']],
    ['a type', { filters: { type: 'note' } }, ['b', 'c']],
    ['a task', { filters: { task: 't' } }, ['a']],
    ['tags', { filters: { tags: ['design'] } }, ['c']],
    ['everything, whichever task is current', { filters: {} }, ['a', 'b', 'c']],
    ['a goal', { goal: 'payment webhook signature' }, ['b']],
    ['a goal within a filter', { goal: 'payment', filters: { type: 'note' } }, ['b']],
    ['a goal that nothing answers', { goal: 'quantum chromodynamics' }, []],
  ];
  it.each(selections)('selects by %s', async (_, selection, expected) => {
    const site = await filled();
    await site.context.setTask('shop', 't');
    const { done, matched } = await site.context.stash({ project: 'shop', ...selection });
    expect([...done].sort()).toEqual(expected);
    expect(matched).toBe(expected.length);
  });

  it('leaves what is pinned where it is, and names it', async () => {
    const site = await filled();
    await site.context.setPinned('shop', ['a', 'c'], true);
    const { done, problems } = await site.context.stash({
      project: 'shop',
      filters: {},
      segments: [note('x', { id: 'a' })],
    });
    expect(done).toEqual(['b']);
    expect(problems).toEqual([
      { id: 'a', code: 'pinned' },
      { id: 'c', code: 'pinned' },
    ]);
    expect(await site.text('a')).toContain('webpack');
  });
});

async function stocked(): Promise<Site> {
  const site = openSite();
  const stash = (project: string, id: string, text: string, more: Partial<GivenSegment> = {}) =>
    site.context.stash({ project, segments: [note(text, { id, ...more })] });
  await stash('shop', 'webhook', 'The payment webhook is verified by its HMAC signature', {
    task: 't',
    file: 'src/hook.ts',
  });
  site.now += 1000;
  await stash('shop', 'refund', 'Refunds of a payment go through the queue', { type: 'decision', tags: ['x', 'y'] });
  site.now += 1000;
  await stash('shop', 'logo', 'Colours of the logo');
  await stash('bank', 'transfer', 'A payment is a transfer');
  await stash('shop', 'active', 'a payment in the working set');
  await site.context.retrieve({ project: 'shop', ids: ['active'], activate: true, maxBytes: 1000 });
  return site;
}

describe('searching', () => {
  it('ranks what serves the goal first, in the stash of one project', async () => {
    const { context } = await stocked();
    const { matches, found } = await context.search({
      project: 'shop',
      goal: 'how is the payment webhook verified?',
      limit: 10,
    });
    expect(matches.map(({ meta }) => meta.segmentId)).toEqual(['webhook', 'refund']);
    expect(found).toBe(2);
    expect(matches[0]?.score).toBeGreaterThan(matches[1]?.score ?? 1);
    expect(matches[0]?.excerpt).toContain('HMAC');
  });

  it('looks at the end of a long text, too', async () => {
    const { context } = openSite();
    const filler = 'step went well\n'.repeat(20_000);
    const segments = ['the cause was a stale lock', 'all green'].map((end, at) =>
      note(`stale locks?\n${filler}${end}`, { id: `${at}` }),
    );
    await context.stash({ project: 'shop', segments });
    const { matches } = await context.search({ project: 'shop', goal: 'cause of the stale lock', limit: 10 });
    expect(matches.map(({ meta }) => meta.segmentId)).toEqual(['0', '1']);
  });

  it('searches all projects when none is named', async () => {
    const { context } = await stocked();
    const { matches } = await context.search({ goal: 'payment', limit: 10 });
    expect(new Set(matches.map(({ meta }) => meta.projectId))).toEqual(new Set(['shop', 'bank']));
  });

  const filtered: [string, object, string[]][] = [
    ['nothing: the newest first', {}, ['logo', 'refund', 'webhook']],
    ['a task', { filters: { task: 't' } }, ['webhook']],
    ['a file', { filters: { file: 'src/hook.ts' } }, ['webhook']],
    ['a type', { filters: { type: 'decision' } }, ['refund']],
    ['all tags', { filters: { tags: ['x', 'y'] } }, ['refund']],
    ['one tag too many', { filters: { tags: ['x', 'z'] } }, []],
    ['a time, inclusive', { filters: { createdAfter: Date.parse('2026-03-02T10:00:22Z') } }, ['logo']],
    ['a time, the other way', { filters: { createdBefore: Date.parse('2026-03-02T10:00:20Z') } }, ['webhook']],
    ['words and a filter', { goal: 'payment', filters: { type: 'decision' } }, ['refund']],
    ['a limit', { limit: 1 }, ['logo']],
  ];
  it.each(filtered)('finds by %s', async (_, request, expected) => {
    const { context } = await stocked();
    const { matches } = await context.search({ project: 'shop', limit: 10, ...request });
    expect(matches.map(({ meta }) => meta.segmentId)).toEqual(expected);
  });

  it('forgets what was taken back or deleted', async () => {
    const site = await stocked();
    await site.context.retrieve({ project: 'shop', ids: ['webhook'], activate: true, maxBytes: 1000 });
    await site.context.collect({ project: 'shop', ids: ['refund'], action: 'delete', confirm: true });
    expect((await site.context.search({ project: 'shop', goal: 'payment', limit: 10 })).matches).toEqual([]);
  });
});
