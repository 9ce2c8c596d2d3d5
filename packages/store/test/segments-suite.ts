import { describe, expect, it } from 'vitest';
import type { SegmentChanges, SegmentFilter, SegmentWrite } from '../src/segments.ts';
import { type Harness, STARTING_MS } from './harness.ts';
import { add, ids, metaOf, segmentOpener, textOfDraft } from './segments-world.ts';
import { DELICATE_TEXTS, segmentOf } from './texts.ts';

/** What every segment store does with segments, whatever it keeps them in. */
export function describeSegments(harness: Harness): void {
  describe(`segments in ${harness.name}`, { timeout: STARTING_MS }, () => {
    const open = segmentOpener(harness);

    it('gives a segment back with everything that was written', async () => {
      const whole = segmentOf('a', {
        originKey: 'message 1',
        type: 'decision',
        taskId: 't',
        createdAt: 1_700_000_000_123.5,
        touchedAt: 7,
        pinned: true,
        generation: 'old',
        survivals: 4,
        references: ['b', 'c'],
        file: 'src/a.ts',
        tags: ['x', 'y'],
        topic: 'top',
        tokens: 123,
        tier: 'stashed',
        textComplete: false,
        facts: '{"a":1}',
      });
      const store = await open(whole, segmentOf('b'));
      expect(await store.list('p')).toEqual([metaOf(whole), metaOf(segmentOf('b'))]);
      expect(await store.texts('p', ['a', 'b', 'c'])).toEqual(
        new Map([textOfDraft(whole), textOfDraft(segmentOf('b'))]),
      );
    });

    it('adds a segment once, by its id or by its origin, wherever it is by then', async () => {
      const store = await open(segmentOf('a', { originKey: 'o' }));
      await store.write('p', [{ kind: 'change', segmentId: 'a', changes: { tier: 'stashed', pinned: true } }]);
      const before = await store.list('p');
      const outcomes = await store.write('p', [
        add(segmentOf('a', { originKey: 'o', text: 'other', touchedAt: 1_800_000_000_000 })),
        add(segmentOf('other id', { originKey: 'o' })),
      ]);
      expect(outcomes).toEqual([
        { segmentId: 'a', result: 'known' },
        { segmentId: 'a', result: 'known' },
      ]);
      expect(await store.list('p')).toEqual(before);
      expect((await store.texts('p', ['a'])).get('a')).toBe(segmentOf('a').text);
    });

    it('takes the complete text of a segment known by its preview, and never a preview for a text', async () => {
      const preview = segmentOf('a', { text: 'the begi', textComplete: false, tokens: 2, tier: 'stashed' });
      const complete = segmentOf('a', { text: 'the beginning and the end', tokens: 6, textHash: 'h', facts: 'f' });
      const store = await open(preview);
      expect(await store.write('p', [add(complete)])).toEqual([{ segmentId: 'a', result: 'completed' }]);
      expect(await store.write('p', [add(preview)])).toEqual([{ segmentId: 'a', result: 'known' }]);
      expect(await store.list('p')).toEqual([metaOf({ ...complete, tier: 'stashed' })]);
      expect((await store.texts('p', ['a'])).get('a')).toBe(complete.text);
      expect(ids((await store.search({ projectId: 'p', text: 'end', limit: 9 })).matches)).toEqual(['a']);
      expect((await store.totals('p')).tokens).toBe(6);
    });

    it('replaces a segment whole, but never takes the origin of another', async () => {
      const store = await open(segmentOf('a', { originKey: 'o', tags: ['old'], tokens: 5 }), segmentOf('b'));
      const outcomes = await store.write('p', [
        { kind: 'put', segment: segmentOf('a', { text: 'new', tokens: 7 }) },
        { kind: 'put', segment: segmentOf('c', { originKey: 'o' }) },
        { kind: 'put', segment: segmentOf('d', { originKey: 'o' }) },
      ]);
      expect(outcomes.map(({ result }) => result)).toEqual(['replaced', 'added', 'refused']);
      expect((await store.list('p')).map(({ segmentId, tags, tokens }) => [segmentId, tags, tokens])).toEqual([
        ['a', [], 7],
        ['b', [], 10],
        ['c', [], 10],
      ]);
      expect((await store.texts('p', ['a'])).get('a')).toBe('new');
    });

    it('changes what it is told to, and reports each id for itself', async () => {
      const store = await open(segmentOf('a', { taskId: 't', topic: 'x' }), segmentOf('b', { pinned: true }));
      const changes = {
        tier: 'stashed',
        touchedAt: 1_800_000_000_000,
        tags: ['t'],
        taskId: null,
        topic: null,
      } as const;
      const outcomes = await store.write('p', [change('a', changes), change('b', changes), change('c', changes)]);
      expect(outcomes.map(({ segmentId, result }) => [segmentId, result])).toEqual([
        ['a', 'changed'],
        ['b', 'refused'],
        ['c', 'missing'],
      ]);
      expect(await store.list('p')).toEqual([
        metaOf(segmentOf('a', { tier: 'stashed', touchedAt: 1_800_000_000_000, tags: ['t'] })),
        metaOf(segmentOf('b', { pinned: true })),
      ]);
      await store.write('p', [{ kind: 'change', segmentId: 'a', changes: { touchedAt: 5, text: 'fresh words' } }]);
      expect((await store.list('p', { ids: ['a'] }))[0]?.touchedAt).toBe(1_800_000_000_000);
      expect(ids((await store.search({ projectId: 'p', text: 'fresh', limit: 9 })).matches)).toEqual(['a']);
    });

    it('removes a segment with its text and its words, unless the condition fails', async () => {
      const store = await open(segmentOf('a', { text: 'zebra' }), segmentOf('b', { text: 'zebra', pinned: true }));
      const outcomes = await store.write(
        'p',
        ['a', 'b', 'c'].map((segmentId): SegmentWrite => ({ kind: 'remove', segmentId, onlyIf: { pinned: false } })),
      );
      expect(outcomes.map(({ result }) => result)).toEqual(['removed', 'refused', 'missing']);
      expect((await store.list('p')).map(({ segmentId }) => segmentId)).toEqual(['b']);
      expect(await store.texts('p', ['a'])).toEqual(new Map());
      expect(ids((await store.search({ projectId: 'p', text: 'zebra', limit: 9 })).matches)).toEqual(['b']);
    });

    it('sees earlier writes of the same call', async () => {
      const store = await open();
      const outcomes = await store.write('p', [
        add(segmentOf('a', { originKey: 'o', text: 'first' })),
        add(segmentOf('b', { originKey: 'o' })),
        { kind: 'change', segmentId: 'a', changes: { pinned: true } },
        { kind: 'remove', segmentId: 'a' },
        add(segmentOf('a', { text: 'second' })),
        add(segmentOf('b', { originKey: 'o', text: 'third' })),
      ]);
      expect(outcomes.map(({ result }) => result)).toEqual(['added', 'known', 'changed', 'removed', 'added', 'added']);
      expect(await store.texts('p', ['a', 'b'])).toEqual(
        new Map([
          ['a', 'second'],
          ['b', 'third'],
        ]),
      );
    });

    it('does nothing of a call that fails, and the next one succeeds', async () => {
      const store = await open(segmentOf('a'));
      const before = await store.project('p');
      const broken = { ...segmentOf('b'), createdAt: undefined as unknown as number };
      const writes = [add(segmentOf('c')), { kind: 'remove', segmentId: 'a' } as const, add(broken)];
      await expect(store.write('p', writes)).rejects.toMatchObject({ code: 'store_failed' });
      expect((await store.list('p')).map(({ segmentId }) => segmentId)).toEqual(['a']);
      expect(await store.project('p')).toEqual(before);
      expect(await store.write('p', [add(segmentOf('d'))])).toEqual([{ segmentId: 'd', result: 'added' }]);
    });

    it.each<[string, SegmentFilter, string[]]>([
      ['everything', {}, ['a', 'b', 'c', 'd']],
      ['ids, those it knows', { ids: ['d', 'x', 'a'] }, ['a', 'd']],
      ['no ids', { ids: [] }, []],
      ['a tier', { tier: 'stashed' }, ['b', 'd']],
      ['a task', { taskId: 't' }, ['a', 'b']],
      ['no task', { taskId: null }, ['c', 'd']],
      ['a file', { file: 'src/x.ts' }, ['b', 'c']],
      ['a type', { type: 'note' }, ['d']],
      ['all tags', { tags: ['red', 'big'] }, ['a']],
      ['one tag', { tags: ['red'] }, ['a', 'c']],
      ['pins', { pinned: true }, ['c']],
      ['a time, ends included', { createdAfter: 20, createdBefore: 30 }, ['b', 'c']],
      ['several at once', { tier: 'working', file: 'src/x.ts', tags: ['red'] }, ['c']],
    ])('lists by %s, in the order of their addition', async (_, filter, expected) => {
      const store = await open(
        segmentOf('a', { taskId: 't', tags: ['red', 'big'], createdAt: 10, text: 'same word' }),
        segmentOf('b', { taskId: 't', tier: 'stashed', file: 'src/x.ts', createdAt: 20, text: 'same word' }),
        segmentOf('c', { file: 'src/x.ts', tags: ['red'], pinned: true, createdAt: 30, text: 'same word' }),
        segmentOf('d', { type: 'note', tier: 'stashed', createdAt: 40, text: 'same word' }),
      );
      await store.write('q', [add(segmentOf('a', { tier: 'stashed', text: 'same word' }))]);
      expect((await store.list('p', filter)).map(({ segmentId }) => segmentId)).toEqual(expected);
      const found = await store.search({ projectId: 'p', text: 'same', filter, limit: 9 });
      expect([ids(found.matches), found.found]).toEqual([expected.toReversed(), expected.length]);
      const newest = await store.newest({ projectId: 'p', filter, limit: 2 });
      expect(newest.segments.map(({ segmentId }) => segmentId)).toEqual(expected.toReversed().slice(0, 2));
      expect(newest.found).toBe(expected.length);
      const snapshot = await store.createSnapshot('p', { snapshotId: 's', createdAt: 1 }, filter);
      expect(snapshot.segments).toBe(expected.length);
    });

    it('adds up what it holds, by type, task, tier and pin, and knows the ends', async () => {
      const store = await open(
        segmentOf('a', { type: 'log', taskId: 't', tokens: 1, createdAt: 10 }),
        segmentOf('b', { type: 'log', tier: 'stashed', tokens: 2, createdAt: 20 }),
        segmentOf('c', { type: 'code', taskId: 't', pinned: true, tokens: 4, createdAt: 30 }),
      );
      await store.write('q', [add(segmentOf('z', { tokens: 100, createdAt: 1 }))]);
      expect(await store.totals('p')).toEqual({
        segments: 3,
        tokens: 7,
        pinned: count(1, 4),
        byTier: { working: count(2, 5), stashed: count(1, 2) },
        byType: new Map([
          ['log', count(2, 3)],
          ['code', count(1, 4)],
        ]),
        byTask: new Map([
          ['t', count(2, 5)],
          [undefined, count(1, 2)],
        ]),
        oldest: 10,
        newest: 30,
      });
      expect(await store.totals('p', { tier: 'working', taskId: 't' })).toMatchObject({
        ...count(2, 5),
        oldest: 10,
        newest: 30,
      });
      expect(await store.totals('p', { taskId: null })).toMatchObject({ ...count(1, 2), oldest: 20, newest: 20 });
      const { oldest, newest, segments } = await store.totals('nobody');
      expect([oldest, newest, segments]).toEqual([undefined, undefined, 0]);
      await store.write('p', [
        { kind: 'change', segmentId: 'a', changes: { pinned: true, tier: 'stashed', taskId: 'u', tokens: 3 } },
        { kind: 'remove', segmentId: 'b' },
      ]);
      const after = await store.totals('p');
      expect([after.segments, after.tokens, after.pinned]).toEqual([2, 7, count(2, 7)]);
      expect(new Set(after.byTask.keys())).toEqual(new Set(['t', 'u']));
    });

    it('counts survived collections for what works, not for what is set aside', async () => {
      const store = await open(segmentOf('a', { survivals: 1 }), segmentOf('b', { tier: 'stashed' }));
      await store.recordCollection('p', 3);
      await store.write('p', [add(segmentOf('late'))]);
      await store.write('p', [{ kind: 'change', segmentId: 'b', changes: { tier: 'working' } }]);
      await store.recordCollection('p', 3);
      const seen = async () =>
        (await store.list('p')).map(({ segmentId, survivals, generation }) => [segmentId, survivals, generation]);
      expect(await seen()).toEqual([
        ['a', 3, 'old'],
        ['b', 1, 'young'],
        ['late', 1, 'young'],
      ]);
      await store.write('p', [{ kind: 'change', segmentId: 'a', changes: { tier: 'stashed' } }]);
      await store.recordCollection('p', 3);
      expect((await seen())[0]).toEqual(['a', 3, 'old']);
      expect((await store.project('p')).collections).toBe(3);
    });

    it('says by revisions what changed since, and by removals when to read anew', async () => {
      const store = await open(segmentOf('a'), segmentOf('b'));
      const first = await store.project('p');
      await store.write('p', [
        { kind: 'change', segmentId: 'b', changes: { pinned: true } },
        { kind: 'change', segmentId: 'missing', changes: { pinned: true } },
        add(segmentOf('c')),
      ]);
      const second = await store.project('p');
      expect(second.revision).toBeGreaterThan(first.revision);
      expect(second.renewedAt).toBe(first.renewedAt);
      const changed = await store.list('p', { changedAfter: first.revision });
      expect(changed.map(({ segmentId }) => segmentId)).toEqual(['b', 'c']);
      await store.write('p', [add(segmentOf('a'))]);
      expect((await store.project('p')).revision).toBe(second.revision);
      await store.write('p', [{ kind: 'remove', segmentId: 'a' }]);
      expect((await store.project('p')).renewedAt).toBeGreaterThan(second.revision);
      expect((await store.project('other')).revision).toBe(0);
    });

    it('gives every delicate text back exactly', async () => {
      const drafts = Object.entries(DELICATE_TEXTS).map(([name, text]) => segmentOf(name, { text }));
      const store = await open(...drafts);
      expect(await store.texts('p', Object.keys(DELICATE_TEXTS))).toEqual(new Map(drafts.map(textOfDraft)));
    });

    it('takes many calls at once', async () => {
      const store = await open();
      const names = Array.from({ length: 24 }, (_, at) => `at-once-${at}`);
      await Promise.all(names.map((name) => store.write('p', [add(segmentOf(name))])));
      expect((await store.list('p')).map(({ segmentId }) => segmentId).sort()).toEqual([...names].sort());
      expect((await store.totals('p')).segments).toBe(24);
      expect((await store.project('p')).revision).toBe(24);
    });

    it('refuses work once it is closed', async () => {
      const store = await open();
      await store.close();
      await store.close();
      await expect(store.list('p')).rejects.toMatchObject({ code: 'store_failed' });
    });
  });
}

function change(segmentId: string, changes: SegmentChanges): SegmentWrite {
  return { kind: 'change', segmentId, changes, onlyIf: { pinned: false, tier: 'working' } };
}

function count(segments: number, tokens: number): { segments: number; tokens: number } {
  return { segments, tokens };
}
