import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from 'node-sqlite3-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { buildPrograms, type Child, type Programs } from './child.ts';
import { AVAILABLE_DRIVERS } from './drivers.ts';
import { entryOf, textOf } from './texts.ts';

const directory = mkdtempSync(join(tmpdir(), 'jeeves-crash-'));
let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => {
  programs.remove();
  rmSync(directory, { recursive: true, force: true });
});

describe.each(AVAILABLE_DRIVERS)('SQLite (%s) and processes that die', (driver) => {
  it('keeps every acknowledged text through ten kill -9 amid concurrent writes, and opens within a second', async () => {
    const path = join(directory, driver, 'killed.db');
    const acknowledged: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const children = [0, 1].map((child) => programs.start('write', [path, driver, `r${round}c${child}`]));
      await Promise.all(children.map((child) => child.started));
      await sleep(20 + 17 * round);
      for (const child of children) child.process.kill('SIGKILL');
      await Promise.all(children.map((child) => child.exited));
      acknowledged.push(...children.flatMap((child) => child.lines));

      const begun = performance.now();
      const store = await openSqliteStore({ path, driver });
      expect(performance.now() - begun).toBeLessThan(1000);
      expect(store.driver).toBe(driver);
      const found = await Promise.all(acknowledged.map((id) => store.get(id)));
      expect(found).toEqual(acknowledged.map((id) => entryOf(id)));
      for (const id of unfinished(children)) expect([undefined, textOf(id)]).toContain((await store.get(id))?.text);
      await store.close();
    }
    expect(acknowledged.length).toBeGreaterThan(50);
    expect(inspect(path)).toEqual({ integrity: 'ok', totalsAgree: 1 });
  }, 60_000);

  it('takes the writes of three processes at once', async () => {
    const path = join(directory, driver, 'shared.db');
    const children = ['x', 'y', 'z'].map((prefix) => programs.start('write', [path, driver, prefix, '20']));
    expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0]);
    const ids = children.flatMap((child) => child.lines);
    expect(ids).toHaveLength(240);
    const store = await openSqliteStore({ path, driver });
    expect(await Promise.all(ids.map((id) => store.get(id)))).toEqual(ids.map((id) => entryOf(id)));
    await store.close();
  }, 30_000);

  it('answers a full disk with store_failed and loses nothing that it kept before', async () => {
    const path = join(directory, driver, 'full.db');
    const child = programs.start('fill', [path, driver], { fileSizeKiB: 2048 });
    expect(await child.exited).toBe(0);
    const { kept, failure, message, intact } = JSON.parse(child.lines[0] ?? '{}') as Record<string, unknown>;
    expect({ failure, intact }).toEqual({ failure: 'store_failed', intact: true });
    expect(message).toContain(path);
    const store = await openSqliteStore({ path, driver });
    for (const id of kept as string[]) expect((await store.get(id))?.text).toBe(id.repeat(10_000));
    await store.put(entryOf('after'));
    await store.close();
  }, 30_000);
});

/** The ids each task of the killed writers was at: kept whole or not at all. */
function unfinished(children: readonly Child[]): string[] {
  const next = new Map<string, number>();
  for (const line of children.flatMap((child) => child.lines)) {
    const [prefix, lane, index] = line.split('-');
    next.set(`${prefix}-${lane}`, Number(index) + 1);
  }
  return [...next].map(([lane, index]) => `${lane}-${index}`);
}

function inspect(path: string): unknown {
  const database = new Database(path);
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  const integrity = database.get('PRAGMA integrity_check')?.['integrity_check'];
  const sums = '(SELECT count(*) FROM recovery) AND bytes = (SELECT sum(bytes) FROM recovery)';
  const totalsAgree = database.get(`SELECT entries = ${sums} AS agree FROM recovery_quotas`)?.['agree'];
  database.close();
  return { integrity, totalsAgree };
}
