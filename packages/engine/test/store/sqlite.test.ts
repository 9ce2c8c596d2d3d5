import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from 'node-sqlite3-wasm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../src/errors.ts';
import { ownerName } from '../../src/store/sqlite/owner.ts';
import { openSqliteStore, openSqliteStores, type SqliteStore } from '../../src/store/sqlite.ts';
import { buildPrograms, type Programs } from './child.ts';
import { AVAILABLE_DRIVERS } from './drivers.ts';
import { DELICATE_TEXTS, entryOf, segmentOf } from './texts.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jeeves-sqlite-'));
  path = join(directory, 'state', 'jeeves', 'jeeves.db');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function failure(promise: Promise<unknown>): Promise<EngineError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EngineError);
  return error as EngineError;
}

/** Changes a closed database as another program would. */
function tamper(sql: string, file: string = path): void {
  const database = new Database(file);
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  database.exec(sql);
  database.close();
}

describe.each(AVAILABLE_DRIVERS)('the file of a SQLite store (%s)', (driver) => {
  const open = (lockWaitMs = 5000): Promise<SqliteStore> => openSqliteStore({ path, driver, lockWaitMs });
  const make = async (): Promise<void> => {
    const store = await open();
    await store.put(entryOf('kept'));
    await store.close();
  };

  it('says which driver runs', async () => {
    const store = await open();
    expect([store.driver, store.url]).toEqual([driver, `sqlite:${path}`]);
    await store.close();
  });

  it('is made with its directories for its owner only, and nothing else stays beside it', async () => {
    await make();
    const modes = [path, join(path, '..'), join(path, '../..')].map((each) => statSync(each).mode & 0o777);
    expect(modes).toEqual([0o600, 0o700, 0o700]);
    expect(readdirSync(join(path, '..'))).toEqual(['jeeves.db']);
  });

  it('keeps its texts over a restart', async () => {
    const before = await open();
    for (const [name, text] of Object.entries(DELICATE_TEXTS)) await before.put(entryOf(name, text));
    await before.close();
    const after = await open();
    for (const [name, text] of Object.entries(DELICATE_TEXTS)) expect((await after.get(name))?.text).toBe(text);
    await after.close();
  });

  it('lets the writer decide how long a text lives, whatever the reader’s own limit', async () => {
    const limits = { ttlMs: 100, maxBytes: 1000 };
    const writer = await openSqliteStore({ path, driver, limits, now: () => 0 });
    await writer.put(entryOf('a', 'text'));
    const found = await Promise.all(
      [99, 100].map(async (now) => {
        const reader = await openSqliteStore({ path, driver, now: () => now });
        return (await reader.get('a')) !== undefined;
      }),
    );
    expect(found).toEqual([true, false]);
  });

  it('is made anew when somebody clears the directory while the store is open', async () => {
    const store = await open();
    rmSync(join(directory, 'state'), { recursive: true });
    await store.put(entryOf('b'));
    expect(await store.get('b')).toEqual(entryOf('b'));
    await store.close();
  });

  it('does not replay the log of a database that was deleted', async () => {
    await make();
    rmSync(path);
    writeFileSync(`${path}-wal`, 'the log of another database');
    await make();
    expect(readFileSync(`${path}-wal.orphan`, 'utf8')).toBe('the log of another database');
  });

  it('opens after a process died while it made the file', async () => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(`${path}.new`, 'half a database');
    mkdirSync(`${path}.new.lock`);
    await make();
    expect(readdirSync(join(path, '..'))).toEqual(['jeeves.db']);
  });

  it('opens although a dead process left the lock of the WebAssembly build and its own', async () => {
    await make();
    mkdirSync(`${path}.lock`);
    mkdirSync(`${path}.busy`);
    const [pid, , place] = ownerName().split('.');
    writeFileSync(join(`${path}.busy`, [pid, '1', place, 'dead'].join('.')), '');
    const store = await open(0);
    expect(await store.get('kept')).toEqual(entryOf('kept'));
    await store.close();
  });

  it('fails with the lock’s owner named when a living process keeps it', async () => {
    await make();
    mkdirSync(`${path}.busy`);
    writeFileSync(join(`${path}.busy`, ownerName()), '');
    const begun = performance.now();
    const error = await failure(open(150));
    expect(error).toMatchObject({ code: 'store_failed', data: { path } });
    expect(error.message).toContain(`process ${process.pid}`);
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  it.each([
    ['random bytes', () => Buffer.alloc(8192, 'not a database ')],
    ['a cut file', () => readFileSync(path).subarray(0, 1000)],
  ])('leaves a file of %s as it is and says what to do', async (_, content) => {
    await make();
    const broken = content();
    writeFileSync(path, broken);
    const error = await failure(open());
    expect(error).toMatchObject({ code: 'store_failed', data: { path } });
    expect(error.message).toMatch(/jeeves\.db .*Move the file away/);
    expect(readFileSync(path).equals(broken)).toBe(true);
  });

  it('answers damage inside the file with store_failed alone', async () => {
    await make();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xa5, 4096));
    const [put, get] = await Promise.all([
      failure(open().then((store) => store.put(entryOf('x')))),
      failure(open().then((store) => store.get('kept'))),
    ]);
    expect([put.code, get.code]).toEqual(['store_failed', 'store_failed']);
    expect(put.message).toContain('Move the file away');
  });

  it('does not touch a database of another program', async () => {
    mkdirSync(join(path, '..'), { recursive: true });
    tamper('CREATE TABLE theirs (a)');
    expect((await failure(open())).message).toContain('it is not a Jeeves database');
    const database = new Database(path);
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    expect(database.all('SELECT name FROM sqlite_schema')).toEqual([{ name: 'theirs' }]);
    database.close();
  });

  it('brings a database of the first version up to date and keeps its texts', async () => {
    await make();
    const newer = ['projects', 'segments', 'segment_texts', 'segment_words', 'segment_totals', 'snapshots'];
    const tables = [...newer, 'snapshot_segments', 'sessions', 'digests'];
    tamper(`${tables.map((table) => `DROP TABLE ${table};`).join('')} ${FIRST_RECOVERY} PRAGMA user_version = 1;`);
    const stores = await openSqliteStores({ path, driver });
    expect(await stores.recovery.get('kept')).toEqual(entryOf('kept'));
    await stores.segments.write('p', [{ kind: 'add', segment: segmentOf('a', { text: 'new table' }) }]);
    expect((await stores.segments.search({ text: 'table', limit: 1 })).found).toBe(1);
    await stores.close();
  });

  it('does not touch a database of a newer version', async () => {
    await make();
    tamper('PRAGMA user_version = 999');
    expect((await failure(open())).message).toContain('a newer version of Jeeves made it');
  });

  it.each([
    ['the directory is a file', () => writeFileSync(join(directory, 'state'), ''), 'writable'],
    ['the path is a directory', () => mkdirSync(path, { recursive: true }), 'Move the file away'],
  ])('fails with advice when %s', async (_, arrange, advice) => {
    arrange();
    const error = await failure(open());
    expect(error.code).toBe('store_failed');
    expect(error.message).toContain(path);
    expect(error.message).toContain(advice);
  });
});

/** Takes back what later versions did to the table of texts. */
const FIRST_RECOVERY = `
  DROP TRIGGER recovery_added;
  DROP TRIGGER recovery_removed;
  DROP INDEX recovery_quota;
  ALTER TABLE recovery DROP COLUMN quota;
  ALTER TABLE recovery DROP COLUMN goal;
  CREATE TABLE recovery_totals AS SELECT entries, bytes FROM recovery_quotas;
  DROP TABLE recovery_quotas;
  CREATE TRIGGER recovery_added AFTER INSERT ON recovery BEGIN
    UPDATE recovery_totals SET entries = entries + 1, bytes = bytes + NEW.bytes;
  END;
  CREATE TRIGGER recovery_removed AFTER DELETE ON recovery BEGIN
    UPDATE recovery_totals SET entries = entries - 1, bytes = bytes - OLD.bytes;
  END;`;

describe('a SQLite store and its drivers', () => {
  let programs: Programs;
  beforeAll(async () => {
    programs = await buildPrograms();
  });
  afterAll(() => programs.remove());

  it('takes the runtime’s own SQLite where there is one, silently', async () => {
    const child = programs.start('open', [path]);
    expect(await child.exited).toBe(0);
    expect(child.lines).toEqual([AVAILABLE_DRIVERS.at(-1)]);
    expect(child.errors).toEqual([]);
  });

  it('fails where a driver is asked for that the runtime has not', async () => {
    const result = await openSqliteStore({ path, driver: 'node' }).catch((error: unknown) => error);
    const expected = AVAILABLE_DRIVERS.includes('node') ? { driver: 'node' } : { code: 'store_failed' };
    expect(result).toMatchObject(expected);
  });

  it('serves processes with different drivers from one file', async () => {
    const [first, second] = [AVAILABLE_DRIVERS[0], AVAILABLE_DRIVERS.at(-1)].map((driver) =>
      openSqliteStore({ path, driver: driver ?? 'wasm' }),
    );
    const stores = await Promise.all([first as Promise<SqliteStore>, second as Promise<SqliteStore>]);
    for (let turn = 0; turn < 20; turn += 1) {
      await stores[turn % 2]?.put(entryOf(`turn-${turn}`));
      expect(await stores[(turn + 1) % 2]?.get(`turn-${turn}`)).toEqual(entryOf(`turn-${turn}`));
    }
    await Promise.all(stores.map((store) => store.close()));
  });
});
