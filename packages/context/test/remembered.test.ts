import { createMemoryStores, EngineError, type ProjectDigest, type SegmentStore, type Stores } from '@jeeves/engine';
import { describe, expect, it } from 'vitest';
import { hashOf } from '../src/hash.ts';
import { described, openSite, type Site } from './world.ts';

const MANY = 2400;

/** A project large enough for a digest, in a window of several tasks, topics and files. */
async function largeProject(): Promise<Stores> {
  const stores = createMemoryStores();
  const segments = Array.from({ length: MANY }, (_, at) => ({
    id: `s${at}`,
    type: (['log', 'code', 'note', 'message', 'decision'] as const)[at % 5] ?? 'log',
    preview: `$ run ${at % 700}`,
    tokens: at % 300,
    task: at % 3 === 0 ? `task-${at % 7}` : undefined,
    file: at % 4 === 0 ? `src/${at % 50}.ts` : undefined,
    topic: at % 9 === 0 ? `topic-${at % 90}` : undefined,
    tags: at % 8 === 0 ? [`ref:s${at >> 1}`] : [],
    createdAt: Date.parse('2026-03-01T06:00:00Z') + 1000 * at,
  }));
  await openSite(stores).context.analyzeUsage({ project: 'shop', descriptors: described(segments) });
  return stores;
}

interface Watched {
  readonly site: Site;
  /** What was asked of the store, in order. */
  readonly calls: string[];
}

/** A process of its own on the stores, which says what it asks of them. */
function watch(stores: Stores, replaced: Partial<SegmentStore> = {}): Watched {
  const calls: string[] = [];
  const segments = new Proxy(stores.segments, {
    get: (store, name: keyof SegmentStore) => {
      const value: unknown = replaced[name] ?? Reflect.get(store, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        calls.push(name === 'list' ? `list ${JSON.stringify(args[1])}` : name);
        return Reflect.apply(value, store, args) as unknown;
      };
    },
  });
  return { site: openSite({ ...stores, segments }), calls };
}

/** As it was described before: telling it again changes nothing. */
const KNOWN = { id: 's5', preview: '$ run 5', tokens: 5 };

/** All that can be answered, as a hash: thousands of segments make long texts. */
async function answers({ context }: Site): Promise<string> {
  const shown = [
    await context.analyzeUsage({ project: 'shop' }),
    await context.analyzeGarbage({ project: 'shop', task: 'task-3', target: 500 }),
    await context.analyzeUsage({ project: 'shop', descriptors: described([KNOWN]) }),
    await context.workingSet({ project: 'shop', limit: 20 }),
  ];
  return hashOf(JSON.stringify(shown, (_, value: unknown) => (value instanceof Map ? [...value] : value)));
}

/** What a process answers that has to read every segment. */
async function plainly(stores: Stores): Promise<string> {
  return await answers(watch(stores, { digest: async () => undefined }).site);
}

const ALL = 'list {"tier":"working"}';

describe('a large project', () => {
  it('is read whole once; the next process begins with the digest and answers alike', async () => {
    const stores = await largeProject();
    const first = watch(stores);
    const expected = await answers(first.site);
    await first.site.context.settled();
    expect(first.calls.filter((call) => call === ALL)).toHaveLength(1);
    expect(first.calls.filter((call) => call === 'keepDigest')).toHaveLength(1);
    const second = watch(stores);
    expect(await answers(second.site)).toBe(expected);
    await second.site.context.settled();
    expect(second.calls).not.toContain(ALL);
    expect(second.calls).not.toContain('keepDigest');
  });

  it('is brought up to date from its digest, whatever happened since', async () => {
    const stores = await largeProject();
    const { context } = openSite(stores);
    await context.analyzeUsage({ project: 'shop' });
    await context.settled();
    const steps: [string, () => Promise<unknown>][] = [
      ['pin', () => context.setPinned('shop', ['s10', 's2399'], true)],
      ['collect', () => context.collect({ project: 'shop', ids: ['s20', 's30'], action: 'stash', confirm: false })],
      ['retrieve', () => context.retrieve({ project: 'shop', ids: ['s20'], activate: true, maxBytes: 100 })],
      ['stash', () => context.stash({ project: 'shop', segments: [{ id: 'n', text: 'n', type: 'note', tags: [] }] })],
      [
        'describe',
        () => context.analyzeUsage({ project: 'shop', descriptors: described([{ id: 'new', topic: 'topic-9' }]) }),
      ],
      [
        'complete',
        () => context.stash({ project: 'shop', segments: [{ id: 's40', text: 'all', type: 'log', tags: [] }] }),
      ],
    ];
    for (const [name, step] of steps) {
      await step();
      const fresh = watch(stores);
      expect([name, await answers(fresh.site)]).toEqual([name, await plainly(stores)]);
      expect(fresh.calls).not.toContain(ALL);
    }
  });

  it('of which segments were deleted is read whole, and has another digest', async () => {
    const stores = await largeProject();
    const { context } = openSite(stores);
    await context.analyzeUsage({ project: 'shop' });
    await context.settled();
    await context.collect({ project: 'shop', ids: ['s7'], action: 'delete', confirm: true });
    expect(await stores.segments.digest('shop')).toBeUndefined();
    const fresh = watch(stores);
    expect(await answers(fresh.site)).toBe(await plainly(stores));
    await fresh.site.context.settled();
    expect(fresh.calls.filter((call) => call === ALL)).toHaveLength(1);
    expect((await stores.segments.digest('shop'))?.revision).toBe((await stores.segments.project('shop')).revision);
  });

  it('has another digest once enough of it has changed', async () => {
    const stores = await largeProject();
    const { site, calls } = watch(stores);
    const change = async (from: number, to: number): Promise<number> => {
      const ids = Array.from({ length: to - from }, (_, at) => `s${from + at}`);
      await site.context.setPinned('shop', ids, true);
      await site.context.analyzeUsage({ project: 'shop' });
      await site.context.settled();
      return calls.filter((call) => call === 'keepDigest').length;
    };
    expect(await change(0, 1)).toBe(1);
    expect(await change(1, 900)).toBe(1);
    expect(await change(900, 1100)).toBe(2);
  });
});

describe('a digest', () => {
  const wrong: [string, (digest: ProjectDigest) => Promise<ProjectDigest | undefined>][] = [
    ['is cut short', async ({ revision, bytes }) => ({ revision, bytes: bytes.slice(0, 1000) })],
    [
      'has a wrong byte',
      async ({ revision, bytes }) => ({ revision, bytes: bytes.map((b, at) => (at === 999 ? ~b : b)) }),
    ],
    ['is another’s', async ({ revision }) => ({ revision, bytes: Buffer.from('not a digest at all'.repeat(9)) })],
    ['is empty', async ({ revision }) => ({ revision, bytes: new Uint8Array(0) })],
    ['cannot be read', () => Promise.reject(new EngineError('store_failed', 'the disk is broken'))],
  ];
  it.each(wrong)('that %s costs time and nothing else', async (_, tampered) => {
    const stores = await largeProject();
    const { context } = openSite(stores);
    await context.analyzeUsage({ project: 'shop' });
    await context.settled();
    const digest = (await stores.segments.digest('shop')) as ProjectDigest;
    const fresh = watch(stores, { digest: () => tampered(digest) });
    expect(await answers(fresh.site)).toBe(await plainly(stores));
    expect(fresh.calls).toContain(ALL);
  });

  it('is made when the answer is there, and a store that cannot keep it is asked once', async () => {
    const stores = await largeProject();
    const failing = { keepDigest: () => Promise.reject(new EngineError('store_failed', 'the disk is full')) };
    const { site, calls } = watch(stores, failing);
    await site.context.analyzeUsage({ project: 'shop' });
    expect(calls).not.toContain('keepDigest');
    await site.context.settled();
    await site.context.analyzeUsage({ project: 'shop' });
    await site.context.settled();
    expect(calls.filter((call) => call === 'keepDigest')).toHaveLength(1);
  });

  it('is not made of a store that was closed meanwhile, nor of a small project', async () => {
    const stores = await largeProject();
    const closing = watch(stores);
    await closing.site.context.analyzeUsage({ project: 'shop' });
    await stores.close();
    await expect(closing.site.context.settled()).resolves.toBeUndefined();
    const small = watch(createMemoryStores());
    await small.site.context.analyzeUsage({ project: 'shop', descriptors: described([{ id: 'a' }]) });
    await small.site.context.analyzeUsage({ project: 'shop' });
    await small.site.context.settled();
    expect(small.calls).not.toContain('keepDigest');
  });
});

it('a collection that is recorded while segments are read is counted once', async () => {
  const stores = await largeProject();
  const { context } = openSite(stores);
  await context.analyzeUsage({ project: 'shop' });
  await context.settled();
  await context.setPinned('shop', ['s1'], true);
  let pending = 2;
  const racing = watch(stores, {
    list: async (project, filter) => {
      if (filter?.ids === undefined && (pending -= 1) >= 0) await stores.segments.recordCollection('shop', 2);
      return await stores.segments.list(project, filter);
    },
  });
  expect(await answers(racing.site)).toBe(await plainly(stores));
});
