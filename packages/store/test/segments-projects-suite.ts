import { describe, expect, it } from 'vitest';
import { type Harness, STARTING_MS } from './harness.ts';
import { add, ids, metaOf, segmentOpener } from './segments-world.ts';
import { DELICATE_IDS, segmentOf } from './texts.ts';

/** What every segment store does across projects, in searches and with snapshots, whatever it keeps them in. */
export function describeProjects(harness: Harness): void {
  describe(`projects, searches and snapshots in ${harness.name}`, { timeout: STARTING_MS }, () => {
    const open = segmentOpener(harness);

    it('keeps projects apart and lists them', async () => {
      const store = await open(segmentOf('a', { originKey: 'o', text: 'shared word' }));
      await store.write('q', [add(segmentOf('a', { originKey: 'o', text: 'shared word too', tokens: 3 }))]);
      expect(await store.setCurrentTask('r', 'task')).toBeUndefined();
      expect(await store.setCurrentTask('r', undefined)).toBe('task');
      await store.setCurrentTask('s', 'task');
      await store.write('p', [{ kind: 'remove', segmentId: 'b' }]);
      expect((await store.projects()).map(({ projectId, currentTask }) => [projectId, currentTask])).toEqual([
        ['p', undefined],
        ['q', undefined],
        ['s', 'task'],
      ]);
      expect((await store.projects())[1]?.byTier.working).toEqual({ segments: 1, tokens: 3 });
      expect((await store.list('q')).map(({ projectId, tokens }) => [projectId, tokens])).toEqual([['q', 3]]);
      expect((await store.list(undefined)).map(({ projectId }) => projectId)).toEqual(['p', 'q']);
      const everywhere = await store.search({ text: 'shared', limit: 9 });
      expect(everywhere.matches.map(({ segment }) => segment.projectId)).toEqual(['q', 'p']);
      expect(ids((await store.search({ projectId: 'q', text: 'shared', limit: 9 })).matches)).toEqual(['a']);
      expect((await store.newest({ limit: 1 })).segments.map(({ projectId }) => projectId)).toEqual(['q']);
    });

    it('finds by stems, more and rarer words first, and nothing by nothing', async () => {
      const store = await open(
        ...Array.from({ length: 8 }, (_, at) => segmentOf(`noise-${at}`, { text: 'the retry of a request' })),
        segmentOf('both', { text: 'Retries of connectionPool exhausted the request budget' }),
        segmentOf('rare', { text: 'budget meeting' }),
        segmentOf('accent', { text: 'délai dépassé 接続' }),
      );
      const search = async (text: string, limit = 9) =>
        ids((await store.search({ projectId: 'p', text, limit })).matches);
      expect((await search('retrying the request within budget')).slice(0, 2)).toEqual(['both', 'rare']);
      expect(await search('connection pool')).toEqual(['both']);
      expect(await search('retry', 3)).toHaveLength(3);
      expect(await search('DELAI')).toEqual(['accent']);
      expect(await search('続')).toEqual(['accent']);
      expect(await search('nowhere')).toEqual([]);
      expect(await search('')).toEqual([]);
      expect(await search('"); -- \' & | ! ( ) * : #p1')).toEqual([]);
    });

    it('takes any text for a goal', async () => {
      const store = await open(segmentOf('a', { text: 'needle in a haystack' }));
      const texts = [
        `needle' \\ "\0 ) | ! \ud83d`,
        `${'\0\\\'" : * & '.repeat(100_000)}needle`,
        'needle '.repeat(150_000),
      ];
      for (const text of texts) {
        const { matches, found, capped } = await store.search({ projectId: 'p', text, limit: 9 });
        expect([ids(matches), found, capped]).toEqual([found === 0 ? [] : ['a'], found, false]);
      }
      expect((await store.search({ projectId: 'p', text: texts[2] ?? '', limit: 9 })).found).toBe(1);
    });

    it('finds the few among the many, also where every word is common', async () => {
      const many = Array.from({ length: 1200 }, (_, at) =>
        segmentOf(`s${at}`, {
          text: `common${at % 2 === 0 ? ' even' : ' odd'}${at % 100 === 7 ? ' seldom' : ''}`,
          tier: at < 600 ? 'stashed' : 'working',
        }),
      );
      const needle = segmentOf('needle', { text: 'common even odd', tier: 'stashed' });
      const store = await open();
      await store.write('p', [needle, ...many].map(add));
      const all = await store.search({ projectId: 'p', text: 'common odd even', limit: 5 });
      expect([ids(all.matches)[0], all.capped]).toEqual(['needle', true]);
      const seldom = await store.search({
        projectId: 'p',
        text: 'common seldom',
        limit: 50,
        filter: { tier: 'stashed' },
      });
      expect(ids(seldom.matches).slice(0, 6)).toEqual(['s507', 's407', 's307', 's207', 's107', 's7']);
      const exact = await store.search({ projectId: 'p', text: 'seldom', limit: 3 });
      expect([exact.found, exact.capped, exact.matches.length]).toEqual([12, false, 3]);
    });

    it('looks for the parts of a name that nobody has written, and leaves them where somebody has', async () => {
      const store = await open(
        segmentOf('parts', { text: 'the user and her name' }),
        ...Array.from({ length: 12 }, (_, at) => segmentOf(`whole-${at}`, { text: 'fetchOrderTotal returns cents' })),
        segmentOf('part', { text: 'order of events' }),
      );
      expect(ids((await store.search({ projectId: 'p', text: 'getUserName', limit: 9 })).matches)).toEqual(['parts']);
      const { matches } = await store.search({ projectId: 'p', text: 'fetchOrderTotal', limit: 20 });
      expect(ids(matches)).not.toContain('part');
      expect(matches).toHaveLength(12);
    });

    it('keeps a snapshot as it was, apart from segments and from other snapshots', async () => {
      const store = await open(
        segmentOf('a', { taskId: 't', tokens: 1, survivals: 2 }),
        segmentOf('b', { taskId: 't', tokens: 2 }),
      );
      const draft = { snapshotId: 's1', taskId: 't', name: 'before', createdAt: 5 };
      const info = await store.createSnapshot('p', draft, { taskId: 't' });
      expect(info).toEqual({ projectId: 'p', ...draft, segments: 2, tokens: 3 });
      await store.createSnapshot('p', { snapshotId: 's2', taskId: 't', createdAt: 6 }, { taskId: 't' });
      await store.createSnapshot('p', { snapshotId: 's3', createdAt: 7 }, { ids: [] });
      await store.recordCollection('p', 1);
      await store.write('p', [
        { kind: 'remove', segmentId: 'a' },
        { kind: 'change', segmentId: 'b', changes: { text: 'changed' } },
      ]);
      const contents = [
        { projectId: 'p', ...segmentOf('a', { taskId: 't', tokens: 1, survivals: 2 }) },
        { projectId: 'p', ...segmentOf('b', { taskId: 't', tokens: 2 }) },
      ];
      expect(await store.snapshot('p', 's1')).toEqual({ ...info, contents });
      expect((await store.snapshot('p', 's2'))?.contents).toEqual(contents);
      expect((await store.snapshots('p')).map(({ snapshotId }) => snapshotId)).toEqual(['s3', 's2', 's1']);
      expect((await store.snapshots('p', 't')).map(({ snapshotId }) => snapshotId)).toEqual(['s2', 's1']);
      expect(await store.snapshot('q', 's1')).toBeUndefined();
      await expect(store.createSnapshot('p', draft, {})).rejects.toMatchObject({ code: 'store_failed' });
      expect([await store.removeSnapshot('p', 's1'), await store.removeSnapshot('p', 's1')]).toEqual([true, false]);
      expect(await store.snapshots('p')).toHaveLength(2);
      expect((await store.list('p')).map(({ segmentId }) => segmentId)).toEqual(['b']);
    });

    it('takes any string for any name, and gives it back', async () => {
      const store = await open();
      for (const id of DELICATE_IDS) {
        const names = { originKey: id, type: id, taskId: id, file: id, topic: id, facts: id, textHash: id };
        const segment = segmentOf(id, { ...names, tags: [id], references: [id], text: `text of ${id}` });
        await store.write(id, [add(segment), add(segment)]);
        await store.setCurrentTask(id, id);
        await store.createSnapshot(
          id,
          { snapshotId: id, taskId: id, name: id, createdAt: 1 },
          { taskId: id, tags: [id] },
        );
        const filter = { ids: [id], type: id, taskId: id, file: id, tags: [id] };
        expect(await store.list(id, filter)).toEqual([metaOf(segment, id)]);
        expect(await store.texts(id, [id])).toEqual(new Map([[id, segment.text]]));
        expect((await store.snapshot(id, id))?.contents).toEqual([{ projectId: id, ...segment }]);
        expect([...(await store.totals(id)).byTask.keys()]).toEqual([id]);
        expect((await store.search({ projectId: id, text: 'text', filter, limit: 9 })).found).toBe(1);
      }
      const projects = await store.projects();
      expect(projects.map(({ projectId }) => projectId)).toEqual([...DELICATE_IDS].sort(byUnits));
      expect(projects.map(({ currentTask }) => currentTask)).toEqual([...DELICATE_IDS].sort(byUnits));
    });
  });
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : 1;
}
