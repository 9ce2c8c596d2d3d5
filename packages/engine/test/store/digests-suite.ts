import { describe, expect, it } from 'vitest';
import type { ProjectDigest, SegmentStore } from '../../src/store/segments.ts';
import { type Harness, STARTING_MS } from './harness.ts';
import { add, segmentOpener } from './segments-world.ts';
import { DELICATE_IDS, segmentOf } from './texts.ts';

/** What every segment store does with digests of projects. */
export function describeDigests(harness: Harness): void {
  describe(`digests in ${harness.name}`, { timeout: STARTING_MS }, () => {
    const open = segmentOpener(harness);

    it('come back as they were kept, for their project alone', async () => {
      const store = await open(segmentOf('a'));
      await store.write('q', [add(segmentOf('a'))]);
      expect(await kept(store)).toBeUndefined();
      const bytes = new Uint8Array(300_000).map((_, at) => (at * 131) >>> 3);
      await store.keepDigest('p', { revision: 1, bytes });
      const digest = (await store.digest('p')) as ProjectDigest;
      expect([digest.revision, Buffer.compare(digest.bytes, bytes)]).toEqual([1, 0]);
      digest.bytes.fill(0);
      bytes.fill(0);
      expect((await kept(store))?.[1]?.charCodeAt(80)).toBe(((80 * 131) >>> 3) % 256);
      expect(await kept(store, 'q')).toBeUndefined();
      await store.keepDigest('q', digestOf(1, ''));
      expect(await kept(store, 'q')).toEqual([1, '']);
      expect((await kept(store))?.[1]).toHaveLength(300_000);
    });

    it('of an earlier revision never replace those of a later one', async () => {
      const store = await open(segmentOf('a'), segmentOf('b'));
      await store.keepDigest('p', digestOf(3, 'three'));
      await store.keepDigest('p', digestOf(2, 'two'));
      expect(await kept(store)).toEqual([3, 'three']);
      await store.keepDigest('p', digestOf(3, 'again'));
      expect(await kept(store)).toEqual([3, 'again']);
      await store.keepDigest('p', digestOf(4, 'four'));
      expect(await kept(store)).toEqual([4, 'four']);
    });

    it('go with a removal, and none from before it is kept any more', async () => {
      const store = await open(segmentOf('a'), segmentOf('b'));
      await store.keepDigest('p', digestOf(1, 'knows a'));
      await store.write('p', [{ kind: 'change', segmentId: 'a', changes: { pinned: true } }]);
      expect(await kept(store)).toEqual([1, 'knows a']);
      await store.write('p', [{ kind: 'remove', segmentId: 'a' }]);
      expect(await kept(store)).toBeUndefined();
      await store.keepDigest('p', digestOf(2, 'knows a'));
      expect(await kept(store)).toBeUndefined();
      await store.write('p', [{ kind: 'remove', segmentId: 'b' }]);
      const { revision } = await store.project('p');
      await store.keepDigest('p', digestOf(revision, 'knows nobody'));
      expect(await kept(store)).toEqual([revision, 'knows nobody']);
    });

    it('change no revision and no answer, and make no project', async () => {
      const store = await open(segmentOf('a'));
      const answers = async (): Promise<unknown> => [
        await store.project('p'),
        await store.projects(),
        await store.list(undefined),
        await store.totals('p'),
      ];
      const before = await answers();
      await store.keepDigest('p', digestOf(1, 'x'));
      await store.keepDigest('nobody', digestOf(1, 'x'));
      expect(await answers()).toEqual(before);
    });

    it('are known by any name of a project', async () => {
      const store = await open();
      for (const id of DELICATE_IDS) {
        await store.write(id, [add(segmentOf('a'))]);
        await store.keepDigest(id, digestOf(1, `of ${id.length}`));
      }
      for (const id of DELICATE_IDS) expect(await kept(store, id)).toEqual([1, `of ${id.length}`]);
    });
  });
}

async function kept(store: SegmentStore, projectId = 'p'): Promise<[number, string] | undefined> {
  const digest = await store.digest(projectId);
  return digest && [digest.revision, Buffer.from(digest.bytes).toString('latin1')];
}

function digestOf(revision: number, text: string): ProjectDigest {
  return { revision, bytes: Buffer.from(text, 'latin1') };
}
