import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createLazyStore, type LazyStoreOptions } from '../src/pruner/store.ts';

const directory = mkdtempSync(join(tmpdir(), 'jeeves-lazy-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function lazy(parts: Partial<LazyStoreOptions> = {}): {
  store: ReturnType<typeof createLazyStore>;
  problems: string[];
} {
  const problems: string[] = [];
  const store = createLazyStore({
    home: directory,
    ttlMs: 1000,
    now: () => 5000,
    onProblem: (message) => problems.push(message),
    ...parts,
  });
  return { store, problems };
}

const ENTRY = { pruneId: 'prn_a', text: 'alpha\n', firstLine: 1, createdAt: 5000 };

describe('a store that is opened when it is needed', () => {
  test('keeps texts where it is told to, also for the next one', async () => {
    const url = `sqlite:${join(directory, 'kept.db')}`;
    const first = lazy({ url });
    await first.store.put(ENTRY);
    await first.store.close();
    const second = lazy({ url });
    expect(await second.store.get('prn_a')).toMatchObject({ text: 'alpha\n' });
    expect([...first.problems, ...second.problems]).toEqual([]);
    await second.store.close();
  });

  test('forgets after the time it is given', async () => {
    let now = 5000;
    const { store } = lazy({ url: 'memory:', now: () => now });
    await store.put(ENTRY);
    now = 5999;
    expect(await store.get('prn_a')).toBeDefined();
    now = 6000;
    expect(await store.get('prn_a')).toBeUndefined();
  });

  test('closes though it was never opened', async () => {
    await expect(lazy().store.close()).resolves.toBeUndefined();
  });
});

describe('a store that cannot be opened', () => {
  test('keeps new texts in memory, says so once, and cannot tell about old ones', async () => {
    mkdirSync(join(directory, 'blocked.db'));
    const { store, problems } = lazy({ url: `sqlite:${join(directory, 'blocked.db')}` });
    await expect(store.get('prn_old')).rejects.toMatchObject({ code: 'store_failed' });
    await Promise.all([store.put(ENTRY), store.put({ ...ENTRY, pruneId: 'prn_b' })]);
    expect(await store.get('prn_a')).toMatchObject({ text: 'alpha\n' });
    expect(await store.get('prn_b')).toMatchObject({ text: 'alpha\n' });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/kept in memory\.$/);
    await store.close();
  });

  test('is tried again at the next use', async () => {
    const path = join(directory, 'later.db');
    mkdirSync(path);
    const { store } = lazy({ url: `sqlite:${path}` });
    await expect(store.get('prn_a')).rejects.toThrow();
    rmSync(path, { recursive: true });
    await store.put(ENTRY);
    expect(await store.get('prn_a')).toMatchObject({ text: 'alpha\n' });
    await store.close();
  });

  test('is a matter of its scheme too', async () => {
    const { store, problems } = lazy({ url: 'postgres://someone:hidden@example.invalid/db' });
    await store.put(ENTRY);
    expect(problems.join()).toMatch(/postgres/);
    expect(problems.join()).not.toContain('hidden');
  });
});
