import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newPruneId } from '@jeeves/engine';
import { defaultStoreUrl, openStore, type StoreLimits } from '@jeeves/store';
import { afterAll, describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { CANONICAL, numberedLines, rebuilt, scoring, world } from './world.ts';

const HOME = mkdtempSync(join(tmpdir(), 'jeeves-e2e-'));
afterAll(() => rmSync(HOME, { recursive: true, force: true }));

const HOUR = 3600 * 1000;
const TEXT = numberedLines(100, (line) => `row ${line}\r`);
const REQUEST = { ...CANONICAL, text: TEXT, goal: 'zebra', source: 'logs' } as const;
const KINDS = { memory: () => 'memory:', sqlite: () => `sqlite:${join(HOME, `${Math.random()}.db`)}` };

async function stored(url: string, options: { limits?: StoreLimits; now?: () => number } = {}) {
  const store = await openStore(url, options);
  return { ...world({ store, backend: scoring() }), store };
}

for (const [kind, newUrl] of Object.entries(KINDS)) {
  describe(`${kind} store`, () => {
    verifies('store.kinds', `a text put into a ${kind} store comes back whole`, async () => {
      const { prune, recover, store } = await stored(newUrl());
      const result = await prune(REQUEST);
      expect(result.gaps.length).toBeGreaterThan(0);
      expect(await rebuilt(result, recover)).toBe(TEXT);
      await store.close();
    });

    verifies('recover.expired-id', `an id of a ${kind} store ends with its time to live`, async () => {
      let now = 1_000_000;
      const limits = { ttlMs: HOUR, maxBytes: 1_000_000 };
      const { prune, recover, store } = await stored(newUrl(), { limits, now: () => now });
      const { pruneId } = await prune(REQUEST);
      const asked = { pruneId, ranges: [{ startLine: 1, endLine: 1 }] };
      now += HOUR - 1;
      expect((await recover(asked)).text).toBe('row 1\r\n');
      now += 2;
      await expect(recover(asked)).rejects.toMatchObject({ code: 'prune_id_not_found' });
      await store.close();
    });

    verifies(['store.bounded', 'recover.evicted'], `a ${kind} store forgets the oldest when full`, async () => {
      const limits = { ttlMs: HOUR, maxBytes: 5 * TEXT.length };
      const { prune, recover, store } = await stored(newUrl(), { limits });
      const ids: string[] = [];
      for (let at = 0; at < 20; at += 1) ids.push((await prune(REQUEST)).pruneId);
      const held = await Promise.all(ids.map((id) => store.get(id)));
      const bytes = held.reduce((sum, entry) => sum + Buffer.byteLength(entry?.text ?? ''), 0);
      expect(bytes).toBeGreaterThan(0);
      expect(bytes).toBeLessThanOrEqual(limits.maxBytes);
      expect(held.at(-1)?.text).toBe(TEXT);
      await expect(recover({ pruneId: ids[0] ?? '', ranges: [] })).rejects.toMatchObject({
        code: 'prune_id_not_found',
      });
      await store.close();
    });

    verifies('store.bounded', `a text larger than a ${kind} store is not cut`, async () => {
      const { prune, store } = await stored(newUrl(), { limits: { ttlMs: HOUR, maxBytes: 100 } });
      expect(await prune(REQUEST)).toMatchObject({ text: TEXT, gaps: [], stats: { usedFallback: true } });
      await store.close();
    });

    verifies('store.ids-are-no-paths', `a ${kind} store takes any id for data`, async () => {
      const { store } = await stored(newUrl());
      const before = readdirSync(HOME).length;
      for (const pruneId of [
        '../../x',
        '/etc/passwd',
        'a\0b',
        "'; DROP TABLE texts; --",
        '__proto__',
        'x'.repeat(10_000),
      ]) {
        expect(await store.get(pruneId)).toBeUndefined();
        await store.put({ pruneId, text: pruneId, firstLine: 1, createdAt: Date.now() });
        expect((await store.get(pruneId))?.text).toBe(pruneId);
      }
      expect(readdirSync(HOME).length).toBe(before);
      await store.close();
    });
  });
}

describe('a store on disk', () => {
  verifies('store.survives-restart', 'gives a text back after it was closed and opened again', async () => {
    const url = KINDS.sqlite();
    const before = await stored(url);
    const result = await before.prune(REQUEST);
    await before.store.close();
    const after = await stored(url);
    expect(await rebuilt(result, after.recover)).toBe(TEXT);
    await after.store.close();
  });

  verifies(
    ['store.durable', 'store.survives-restart'],
    'gives back what another process stored before it was killed',
    async () => {
      const url = KINDS.sqlite();
      const program = fileURLToPath(new URL('put-and-wait.ts', import.meta.url));
      const args = ['--import', 'tsx', '--conditions=@jeeves/source', program, url, 'prn_killed', TEXT];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        expect(String((await once(child.stdout, 'data'))[0])).toBe('stored\n');
      } finally {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      const { store } = await stored(url);
      expect((await store.get('prn_killed'))?.text).toBe(TEXT);
      await store.close();
    },
  );
});

describe('choosing a store', () => {
  verifies('store.default-path', 'the default is one file below the home directory', () => {
    expect(defaultStoreUrl('/home/ada')).toBe('sqlite:/home/ada/.local/state/jeeves/jeeves.db');
  });

  verifies('store.kinds', 'another address is refused without repeating what may be a password', async () => {
    for (const url of ['redis://user:hunter2@db/0', 'postgresx://hunter2', '', 'sqlite:', '/hunter2/x.db']) {
      const failure = openStore(url);
      await expect(failure).rejects.toMatchObject({ code: 'config_error' });
      await expect(failure).rejects.not.toThrow(/hunter2/);
    }
  });
});

describe('prune ids', () => {
  verifies('recover.ids.entropy', '16 random bytes go in, and each of their bits shows', () => {
    const asked: number[] = [];
    const id = newPruneId((count) => {
      asked.push(count);
      return new Uint8Array(count);
    });
    expect(id).toMatch(/^prn_(?:[a-z]{2}\d{3}){7}$/);
    expect(asked[0]).toBeGreaterThanOrEqual(16);
    expect(7 * Math.log2(26 * 26 * 1000)).toBeGreaterThanOrEqual(128);
    const flipped = Array.from({ length: 128 }, (_, bit) =>
      newPruneId((count) => Uint8Array.from({ length: count }, (_, at) => (at === bit >> 3 ? 1 << (bit & 7) : 0))),
    );
    expect(new Set([id, ...flipped]).size).toBe(129);
    expect(new Set([id, ...flipped].map((each) => each.length)).size).toBe(1);
  });
});
