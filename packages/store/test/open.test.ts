import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { defaultStoreUrl, openStore, openStores } from '../src/open.ts';
import { entryOf, segmentOf } from './texts.ts';

const directory = mkdtempSync(join(tmpdir(), 'jeeves-open-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('opening a store by its URL', () => {
  it.each(['memory:', `sqlite:${join(directory, 'a.db')}`])('opens %s', async (url) => {
    let now = 0;
    const store = await openStore(url, { limits: { ttlMs: 10, maxBytes: 100 }, now: () => now });
    expect(store.url).toBe(url);
    await store.put(entryOf('a', 'text'));
    expect((await store.get('a'))?.text).toBe('text');
    now = 10;
    expect(await store.get('a')).toBeUndefined();
    await store.close();
  });

  it.each(['sqlite:', 'redis://user:secret@host', 'postgres:user:secret', 'mysql://user:secret@host/db', ''])(
    'refuses "%s" without repeating what it may hold',
    async (url) => {
      for (const open of [openStore, openStores]) {
        const error = (await open(url).catch((reason: unknown) => reason)) as Error;
        expect(error).toMatchObject({ code: 'config_error' });
        expect(error.message).toContain('is not known');
        expect(error.message).not.toContain('secret');
      }
    },
  );

  it.each(['memory:', `sqlite:${join(directory, 'b.db')}`])(
    'opens all stores of %s, which close together',
    async (url) => {
      const stores = await openStores(url);
      await stores.recovery.put(entryOf('a'));
      await stores.segments.write('p', [{ kind: 'add', segment: segmentOf('a') }]);
      await stores.sessions.mark('s', new Map());
      expect([stores.url, stores.recovery.url, stores.segments.url, stores.sessions.url]).toEqual([url, url, url, url]);
      await stores.close();
      const calls = [stores.recovery.get('a'), stores.segments.projects(), stores.sessions.read('s')];
      const results = await Promise.allSettled(calls);
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    },
  );

  it('has one default place under the home directory', () => {
    expect(defaultStoreUrl('/home/me')).toBe('sqlite:/home/me/.local/state/jeeves/jeeves.db');
  });
});
