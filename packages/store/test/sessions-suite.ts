import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { SessionLimits, SessionStore } from '../src/sessions.ts';
import type { Stores } from '../src/stores.ts';
import { type Harness, STARTING_MS } from './harness.ts';
import { DELICATE_IDS } from './texts.ts';

const LIMITS: SessionLimits = { ttlMs: 100, maxSessions: 3 };

/** What every session store does, whatever it keeps its sessions in. */
export function describeSessions(harness: Harness): void {
  const opened: Stores[] = [];
  let now = 1000;
  const open = async (place?: string, sessionLimits: SessionLimits = LIMITS): Promise<SessionStore> => {
    const options = { sessionLimits, now: () => now };
    const stores = await harness.open(place ?? (await harness.place()), options);
    opened.push(stores);
    return stores.sessions;
  };

  describe(`sessions in ${harness.name}`, { timeout: STARTING_MS }, () => {
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((store) => store.close()));
      harness.clean();
      now = 1000;
    });

    it('adds marks to those it has, the later ones winning', async () => {
      const store = await open();
      expect(await store.read('s')).toBeUndefined();
      await store.mark('s', marks('a', 'b'));
      await store.mark(
        's',
        new Map([
          ['b', 'newer'],
          ['c', 'x'],
        ]),
      );
      expect(await store.read('s')).toEqual(
        new Map([
          ['a', 'hash of a'],
          ['b', 'newer'],
          ['c', 'x'],
        ]),
      );
      await store.unmark('s', ['b', 'unknown']);
      expect(await store.read('s')).toEqual(
        new Map([
          ['a', 'hash of a'],
          ['c', 'x'],
        ]),
      );
      await store.unmark('other', ['a']);
      expect(await store.read('other')).toBeUndefined();
    });

    it('begins a session by marking nothing', async () => {
      const store = await open();
      await store.mark('s', new Map());
      expect(await store.read('s')).toEqual(new Map());
    });

    it.each<[string, (store: SessionStore) => Promise<unknown>]>([
      ['reading', (store) => store.read('s')],
      ['marking', (store) => store.mark('s', marks('b'))],
      ['marking nothing', (store) => store.mark('s', new Map())],
      ['marking what is marked', (store) => store.mark('s', marks('a'))],
      ['taking a mark off', (store) => store.unmark('s', ['b'])],
    ])('starts the time of a session anew by %s', async (_, use) => {
      const store = await open();
      await store.mark('s', marks('a'));
      now = 1099;
      await use(store);
      now = 1198;
      expect((await store.read('s'))?.get('a')).toBe('hash of a');
    });

    it('lets an expired session go for good: its marks never come back', async () => {
      const store = await open();
      await store.mark('s', marks('a'));
      now = 1100;
      expect(await store.remove('s')).toBe(false);
      await store.mark('s', marks('b'));
      expect(await store.read('s')).toEqual(marks('b'));
      now = 1200;
      expect(await store.read('s')).toBeUndefined();
      await store.unmark('s', ['b']);
      expect(await store.read('s')).toBeUndefined();
    });

    it('forgets a session when told to', async () => {
      const store = await open();
      await store.mark('s', marks('a'));
      expect([await store.remove('s'), await store.remove('s')]).toEqual([true, false]);
      expect(await store.read('s')).toBeUndefined();
    });

    it('drops the least recently used session to make room', async () => {
      const store = await open();
      for (const key of ['a', 'b', 'c']) await store.mark(key, marks(key));
      await store.read('a');
      await store.mark('b', new Map());
      await store.mark('d', marks('d'));
      const left = await Promise.all(['a', 'b', 'c', 'd'].map(async (key) => (await store.read(key)) !== undefined));
      expect(left).toEqual([true, true, false, true]);
    });

    it('drops expired sessions before living ones', async () => {
      const store = await open();
      await store.mark('old', marks('a'));
      now = 1050;
      for (const key of ['b', 'c']) await store.mark(key, marks(key));
      now = 1120;
      await store.mark('d', marks('d'));
      const left = await Promise.all(['old', 'b', 'c', 'd'].map(async (key) => (await store.read(key)) !== undefined));
      expect(left).toEqual([false, true, true, true]);
    });

    it('takes any string for a key, a name and a hash', async () => {
      const store = await open(undefined, { ttlMs: 100, maxSessions: 100 });
      for (const id of DELICATE_IDS) await store.mark(id, new Map([[id, id]]));
      for (const id of DELICATE_IDS) expect(await store.read(id)).toEqual(new Map([[id, id]]));
    });

    it('keeps every mark of many calls at once, also from two openings of one place', async () => {
      const place = await harness.place();
      const first = await open(place);
      const second = harness.shares ? await open(place) : first;
      const names = Array.from({ length: 20 }, (_, at) => `tool-${at}`);
      await Promise.all(names.map((name, at) => (at % 2 === 0 ? first : second).mark('s', marks(name))));
      expect(await second.read('s')).toEqual(marks(...names));
    });

    it('obeys the model of marks, expiry and eviction', async () => {
      const key = fc.constantFrom('a', 'b', 'c', 'd');
      const step = fc.oneof(
        fc.record({ kind: fc.constant('mark' as const), key, name: fc.constantFrom('x', 'y') }),
        fc.record({ kind: fc.constant('read' as const), key }),
        fc.record({ kind: fc.constant('remove' as const), key }),
        fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 70 }) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          await opened.pop()?.close();
          const store = await open();
          let model: { key: string; names: Set<string>; until: number }[] = [];
          const use = (wanted: string) => {
            model = model.filter(({ until }) => until > now);
            const found = model.find((each) => each.key === wanted);
            if (found === undefined) return undefined;
            model = [...model.filter((each) => each !== found), found];
            found.until = now + LIMITS.ttlMs;
            return found;
          };
          for (const each of steps) {
            if (each.kind === 'wait') now += each.ms;
            else if (each.kind === 'read') {
              const expected = use(each.key);
              const found = await store.read(each.key);
              expect(found && [...found.keys()]).toEqual(expected && [...expected.names]);
            } else if (each.kind === 'remove') {
              const alive = use(each.key) !== undefined;
              model = model.filter((session) => session.key !== each.key);
              expect(await store.remove(each.key)).toBe(alive);
            } else {
              const session = use(each.key) ?? { key: each.key, names: new Set<string>(), until: now + LIMITS.ttlMs };
              session.names.add(each.name);
              if (!model.includes(session)) model = [...model.slice(-(LIMITS.maxSessions - 1)), session];
              await store.mark(each.key, marks(each.name));
            }
          }
        }),
        { numRuns: harness.modelRuns },
      );
    });
  });
}

function marks(...names: string[]): Map<string, string> {
  return new Map(names.map((name) => [name, `hash of ${name}`]));
}
