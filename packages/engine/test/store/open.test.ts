import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { defaultStoreUrl, openStore } from '../../src/store/sqlite.ts';
import { entryOf } from './texts.ts';

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

  it.each([
    ['postgres://user:secret@host/db', 'not available yet'],
    ['postgresql://user:secret@host/db', 'not available yet'],
    ['sqlite:', 'not known'],
    ['redis://user:secret@host', 'not known'],
    ['', 'not known'],
  ])('refuses "%s" without repeating what it may hold', async (url, why) => {
    const error = (await openStore(url).catch((reason: unknown) => reason)) as Error;
    expect(error).toMatchObject({ code: 'config_error' });
    expect(error.message).toContain(why);
    expect(error.message).not.toContain('secret');
  });

  it('has one default place under the home directory', () => {
    expect(defaultStoreUrl('/home/me')).toBe('sqlite:/home/me/.local/state/jeeves/jeeves.db');
  });
});
