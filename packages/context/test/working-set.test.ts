import { createMemorySegmentStore, type SegmentStore, type SegmentWrite } from '@jeeves/engine';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { columnsOf, itemAt } from '../src/analysis/columns.ts';
import type { Item } from '../src/analysis/item.ts';
import { draftOf, encodeFacts, itemOf } from '../src/record.ts';
import { WorkingSet } from '../src/working-set.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const HELD = encodeFacts({ failed: false, assigned: true, held: true });

/** Each at a moment of its own, but for those that come, or come back, in one step. */
const anyWrite = fc.record({
  segmentId: fc.constantFrom(...IDS),
  action: fc.constantFrom('add', 'pin', 'touch', 'stash', 'return', 'rename', 'collect', 'add all', 'return all'),
});

async function apply(store: SegmentStore, at: number, { segmentId, action }: { segmentId: string; action: string }) {
  if (action === 'collect') return await store.recordCollection('p', 2);
  if (action.endsWith(' all')) {
    const single = action.slice(0, -' all'.length);
    return void (await store.write(
      'p',
      IDS.map((id) => writeOf(at, id, single)),
    ));
  }
  await store.write('p', [writeOf(at, segmentId, action)]);
}

function writeOf(at: number, segmentId: string, action: string): SegmentWrite {
  const changes = {
    pin: { pinned: at % 2 === 0 },
    touch: { touchedAt: at },
    stash: { tier: 'stashed' },
    return: { tier: 'working', touchedAt: at, facts: HELD },
    rename: { topic: `topic-${at}`, references: [IDS[at % IDS.length] ?? ''], file: `file-${at}` },
  } as const;
  const segment = { id: segmentId, type: 'log', text: `$ run ${at}`, textComplete: false, tokens: at, createdAt: at };
  const draft = { ...segment, tier: 'working', assigned: false, held: false, tags: [] } as const;
  return action === 'add'
    ? { kind: 'add', segment: draftOf({ ...draft, type: 'log' }) }
    : { kind: 'change', segmentId, changes: changes[action as keyof typeof changes] };
}

async function all(store: SegmentStore): Promise<Item[]> {
  return (await store.list('p', { tier: 'working' })).map(itemOf).sort((a, b) => a.enteredAt - b.enteredAt);
}

it('a working set brought up to date equals one that was read anew', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(anyWrite, { maxLength: 6 }), { maxLength: 8 }), async (rounds) => {
      const store = createMemorySegmentStore();
      const working = new WorkingSet(columnsOf([]));
      let [revision, collections, at] = [0, 0, 1000];
      for (const writes of rounds) {
        for (const write of writes) await apply(store, (at += 1), write);
        const state = await store.project('p');
        working.growOlder(state.collections - collections);
        working.apply(await store.list('p', { changedAfter: revision }));
        ({ revision, collections } = state);
        for (const columns of [working.contents.columns, working.compact()]) {
          expect(Array.from({ length: columns.length }, (_, place) => itemAt(columns, place))).toEqual(
            await all(store),
          );
        }
      }
    }),
    { numRuns: 200 },
  );
});

it('names of segments that left are dropped once they outnumber those that stayed', async () => {
  const store = createMemorySegmentStore();
  const working = new WorkingSet(columnsOf([]));
  for (let round = 0; round < 3; round += 1) {
    const ids = Array.from({ length: 900 }, (_, at) => `s${round}-${at}`);
    for (const id of ids) await apply(store, 1000 + round, { segmentId: id, action: 'add' });
    working.apply(await store.list('p', { tier: 'working' }));
    for (const id of ids) await apply(store, 1000 + round, { segmentId: id, action: 'stash' });
    working.apply(await store.list('p', { ids }));
  }
  expect(working.contents.columns.length).toBe(0);
  expect(working.contents.columns.names.ids.length).toBeLessThan(1800);
});
