import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '@jeeves/engine';
import { Database } from 'node-sqlite3-wasm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ListingStore } from '../src/listing.ts';
import { packMeta } from '../src/packing.ts';
import { openSqliteStore, openSqliteStores } from '../src/sqlite/index.ts';
import { ownerName } from '../src/sqlite/owner.ts';
import { STEPS } from '../src/sqlite/schema.ts';
import { buildPrograms, type Programs } from './child.ts';
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

/** A database as an earlier version made and filled it. */
function makeEarlier(version: number, contents: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  const steps = STEPS.slice(0, version).join('');
  tamper(`PRAGMA application_id = 0x4a454556; ${steps} ${contents} PRAGMA user_version = ${version};`);
}

/** The text of `entryOf('kept', 'text')`, as versions up to the fifth kept it. */
const EARLIER_TEXT = `INSERT INTO recovery (prune_id, first_line, created_at, expires_at, encoding, bytes, text)
  VALUES (CAST('kept' AS BLOB), 1, 1700000000000, 9e15, 'utf8', 4, CAST('text' AS BLOB));`;

/** As a literal of SQL. */
function sql(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function open(lockWaitMs = 5000): Promise<ListingStore> {
  return openSqliteStore({ path, lockWaitMs });
}

async function make(): Promise<void> {
  const store = await open();
  await store.put(entryOf('kept'));
  await store.close();
}

describe('the file of a SQLite store', () => {
  it('says where it is', async () => {
    const store = await open();
    expect(store.url).toBe(`sqlite:${path}`);
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
    const writer = await openSqliteStore({ path, limits, now: () => 0 });
    await writer.put(entryOf('a', 'text'));
    const found = await Promise.all(
      [99, 100].map(async (now) => {
        const reader = await openSqliteStore({ path, now: () => now });
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
    makeEarlier(1, EARLIER_TEXT);
    const stores = await openSqliteStores({ path });
    expect(await stores.recovery.get('kept')).toEqual(entryOf('kept', 'text'));
    await stores.recovery.put(entryOf('later'));
    expect((await stores.recovery.recent({ limit: 9 })).map(({ pruneId }) => pruneId)).toEqual(['later', 'kept']);
    expect(await stores.recovery.recent({ limit: 9, prefix: 'ke' })).toHaveLength(1);
    await stores.segments.write('p', [{ kind: 'add', segment: segmentOf('a', { text: 'new table' }) }]);
    expect((await stores.segments.search({ text: 'table', limit: 1 })).found).toBe(1);
    await stores.close();
  });

  it('brings a database of the fourth version up to date and keeps what it holds', async () => {
    const { text: _text, ...draft } = segmentOf('a b', { type: 'no"te', taskId: 'tä\\sk', pinned: true });
    const meta = { ...draft, projectId: 'p"' };
    const { type, task } = { type: sql(JSON.stringify('no"te')), task: sql(JSON.stringify('tä\\sk')) };
    makeEarlier(
      4,
      `${EARLIER_TEXT}
       INSERT INTO projects (no, id, revision, current_task) VALUES (7, '"p\\""', 3, '"now"');
       INSERT INTO segments (seq, project, id, tier, type, task, pinned, created, revision, collections, meta)
         VALUES (5, 7, '"a b"', 0, ${type}, ${task}, 1, ${draft.createdAt}, 3, 0, ${sql(packMeta(meta))});
       INSERT INTO segment_texts VALUES (5, 'utf8', CAST('some words' AS BLOB));
       INSERT INTO segment_words (rowid, line) VALUES (5, '#p7 #t0 word');
       INSERT INTO segment_totals VALUES (7, 0, ${type}, ${task}, 1, 1, 10);
       INSERT INTO snapshots (project, id, created, segments, tokens) VALUES (7, '"then"', 1, 0, 0);
       INSERT INTO digests VALUES (7, 3, x'00');`,
    );
    const stores = await openSqliteStores({ path });
    const { segments } = stores;
    expect(await stores.recovery.get('kept')).toEqual(entryOf('kept', 'text'));
    expect(await segments.project('p"')).toMatchObject({ revision: 3, currentTask: 'now' });
    expect(await segments.list('p"')).toEqual([meta]);
    expect(await segments.texts('p"', ['a b'])).toEqual(new Map([['a b', 'some words']]));
    expect((await segments.search({ projectId: 'p"', text: 'words', limit: 1 })).found).toBe(1);
    expect((await segments.snapshots('p"')).map(({ snapshotId }) => snapshotId)).toEqual(['then']);
    await segments.write('p"', [{ kind: 'change', segmentId: 'a b', changes: { tier: 'stashed' } }]);
    const totals = await segments.totals('p"', { taskId: 'tä\\sk' });
    expect(totals.byTier).toEqual({ working: { segments: 0, tokens: 0 }, stashed: { segments: 1, tokens: 10 } });
    await stores.close();
    expect(() => tamper('SELECT 1 FROM digests')).toThrow('no such table');
  });

  it('brings a database of the fifth version up to date and keeps the goals of its texts', async () => {
    makeEarlier(5, `${EARLIER_TEXT} UPDATE recovery SET goal = CAST('why?' AS BLOB);`);
    const store = await open();
    expect(await store.get('kept')).toEqual({ ...entryOf('kept', 'text'), goal: 'why?' });
    expect(await store.recent({ limit: 9, prefix: 'kept' })).toEqual([
      { pruneId: 'kept', bytes: 4, createdAt: 1_700_000_000_000, goal: 'why?' },
    ]);
    await store.close();
  });

  it('brings a database of the sixth version up to date and counts its texts among those without a quota', async () => {
    makeEarlier(
      6,
      `INSERT INTO recovery (key, id, first_line, created_at, expires_at, encoding, bytes, text)
         VALUES ('"kept"', CAST('kept' AS BLOB), 1, 1700000000000, 9e15, 'utf8', 4, CAST('text' AS BLOB));
       UPDATE recovery_totals SET entries = 1, bytes = 4;`,
    );
    const limits = { ttlMs: 60_000, maxBytes: 5 };
    const http = await openSqliteStore({ path, limits: { ...limits, quota: 'http' } });
    await http.put(entryOf('other', 'texts'));
    expect(await http.get('kept')).toEqual(entryOf('kept', 'text'));
    const store = await openSqliteStore({ path, limits });
    await store.put(entryOf('later', 'xx'));
    expect((await store.recent({ limit: 9 })).map(({ pruneId }) => pruneId)).toEqual(['later', 'other']);
    await Promise.all([http.close(), store.close()]);
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

describe('a program with a SQLite store', () => {
  let programs: Programs;
  beforeAll(async () => {
    programs = await buildPrograms();
  });
  afterAll(() => programs.remove());

  it('opens it silently', async () => {
    const child = programs.start('open', [path]);
    expect(await child.exited).toBe(0);
    expect(child.lines).toEqual([`sqlite:${path}`]);
    expect(child.errors).toEqual([]);
  });
});

it('two stores on one file see what the other keeps', async () => {
  const stores = await Promise.all([openSqliteStore({ path }), openSqliteStore({ path })]);
  for (let turn = 0; turn < 20; turn += 1) {
    await stores[turn % 2]?.put(entryOf(`turn-${turn}`));
    expect(await stores[(turn + 1) % 2]?.get(`turn-${turn}`)).toEqual(entryOf(`turn-${turn}`));
  }
  await Promise.all(stores.map((store) => store.close()));
});
