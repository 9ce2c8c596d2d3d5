import { createMemorySegmentStore, type SegmentStore, type SegmentWrite } from '@jeeves/store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProjectCache, type WorkingProject } from '../src/project-cache.ts';
import { draftOf, encodeFacts } from '../src/record.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const HELD = encodeFacts({ failed: false, assigned: true, held: true });

const ACTIONS = ['add', 'pin', 'touch', 'stash', 'return', 'rename', 'remove', 'collect', 'add all', 'return all'];

/** Each at a moment of its own, but for those that come, or come back, in one step. */
const anyWrite = fc.record({
  segmentId: fc.constantFrom(...IDS),
  action: fc.constantFrom(...ACTIONS),
});

async function apply(store: SegmentStore, at: number, { segmentId, action }: { segmentId: string; action: string }) {
  if (action === 'collect') return await store.recordCollection('p', 2);
  const ids = action.endsWith(' all') ? IDS : [segmentId];
  const writes = ids.map((id) => writeOf(at, id, action.split(' ', 1)[0] ?? ''));
  await store.write('p', writes);
}

function writeOf(at: number, segmentId: string, action: string): SegmentWrite {
  const changes = {
    pin: { pinned: at % 2 === 0 },
    touch: { touchedAt: at },
    stash: { tier: 'stashed' },
    return: { tier: 'working', touchedAt: at, facts: HELD },
    rename: { topic: `topic-${at}`, references: [IDS[at % IDS.length] ?? ''], file: `file-${at}` },
  } as const;
  if (action === 'remove') return { kind: 'remove', segmentId };
  if (action !== 'add') return { kind: 'change', segmentId, changes: changes[action as keyof typeof changes] };
  const segment = { id: segmentId, text: `$ run ${at}`, textComplete: false, tokens: at, createdAt: at };
  return {
    kind: 'add',
    segment: draftOf({ ...segment, type: 'log', tier: 'working', assigned: false, held: false, tags: [] }),
  };
}

async function readAnew(store: SegmentStore): Promise<WorkingProject> {
  return await new ProjectCache(store).read('p');
}

/** A cache on a store in which something happens before each list of segments. */
function cacheOn(store: SegmentStore, before: (filter: object) => unknown): ProjectCache {
  const list: SegmentStore['list'] = async (project, filter) => {
    await before(filter ?? {});
    return await store.list(project, filter);
  };
  return new ProjectCache(
    new Proxy(store, {
      get: (target, name) => {
        const value: unknown = name === 'list' ? list : Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
  );
}

/** A cache, and what the store is asked to list. */
function watched(store: SegmentStore): { readonly cache: ProjectCache; readonly lists: string[] } {
  const lists: string[] = [];
  return { cache: cacheOn(store, (filter) => lists.push(Object.keys(filter).join())), lists };
}

describe('a project in the cache', () => {
  it('equals one that is read anew, whatever happened since', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(anyWrite, { maxLength: 6 }), { maxLength: 8 }), async (rounds) => {
        const store = createMemorySegmentStore();
        const cache = new ProjectCache(store);
        let at = 1000;
        for (const writes of rounds) {
          for (const write of writes) await apply(store, (at += 1), write);
          const { state, items } = await cache.read('p');
          const anew = await readAnew(store);
          expect({ state, items }).toEqual({ state: anew.state, items: anew.items });
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is read whole once, then only what was changed, and whole again after a removal or a collection', async () => {
    const store = createMemorySegmentStore();
    const { cache, lists } = watched(store);
    const steps: [string, string[]][] = [
      ['add all', ['tier']],
      ['', []],
      ['pin', ['changedAfter']],
      ['stash', ['changedAfter']],
      ['collect', ['tier']],
      ['remove', ['tier']],
    ];
    for (const [at, [action, expected]] of steps.entries()) {
      if (action !== '') await apply(store, 1000 + at, { segmentId: 'b', action });
      await cache.read('p');
      expect([action, lists.splice(0)]).toEqual([action, expected]);
    }
  });

  it('is brought up to date by the next call when others write while it is read', async () => {
    const store = createMemorySegmentStore();
    await apply(store, 1000, { segmentId: 'a', action: 'add all' });
    const actions = ['collect', 'remove', 'pin', 'stash'];
    const cache = cacheOn(store, async () => {
      const action = actions.pop();
      if (action !== undefined) await apply(store, 2000, { segmentId: 'c', action });
    });
    while (actions.length > 0) {
      await cache.read('p');
      await apply(store, 3000 + actions.length, { segmentId: 'd', action: 'touch' });
    }
    await cache.read('p');
    expect((await cache.read('p')).items).toEqual((await readAnew(store)).items);
  });

  it('is forgotten once enough others were used after it', async () => {
    const { cache, lists } = watched(createMemorySegmentStore());
    for (const project of ['p', ...Array.from({ length: 16 }, (_, at) => `other ${at}`), 'p'])
      await cache.read(project);
    expect(lists).toHaveLength(18);
    await cache.read('other 15');
    expect(lists).toHaveLength(18);
  });
});
