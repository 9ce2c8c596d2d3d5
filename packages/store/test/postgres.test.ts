import { randomUUID } from 'node:crypto';
import { EngineError } from '@jeeves/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, openStores } from '../src/open.ts';
import { openPostgresStores } from '../src/postgres/index.ts';
import type { Stores } from '../src/stores.ts';
import { STARTING_MS, schemaUrl } from './harness.ts';
import { ask, PASSWORD, type PostgresServer, sharedPostgres, startPostgres } from './postgres-server.ts';
import { entryOf, segmentOf } from './texts.ts';

let url: string;
beforeAll(async () => {
  url = await (await sharedPostgres()).createDatabase();
}, STARTING_MS);

const add = (id: string) => ({ kind: 'add', segment: segmentOf(id) }) as const;

async function failure(promise: Promise<unknown>): Promise<EngineError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EngineError);
  return error as EngineError;
}

describe('stores in Postgres', { timeout: STARTING_MS }, () => {
  it('are opened by their URL, and show it without user, password and options', async () => {
    const stores = await openStores(schemaUrl(url, 'by_url'));
    const recovery = await openStore(schemaUrl(url, 'by_url'));
    await stores.recovery.put(entryOf('a'));
    expect(await recovery.get('a')).toEqual(entryOf('a'));
    expect(stores.url).toBe(`postgres://${new URL(url).host}${new URL(url).pathname}`);
    expect(new Set([stores.recovery.url, stores.segments.url, stores.sessions.url, recovery.url])).toEqual(
      new Set([stores.url]),
    );
    await Promise.all([stores.close(), recovery.close()]);
  });

  it('live in a schema of their own, or in the one that the URL names, and nowhere else', async () => {
    for (const each of [url, schemaUrl(url, 'chosen')]) await (await openPostgresStores({ url: each })).close();
    const rows = await ask(
      url,
      "SELECT DISTINCT table_schema AS name FROM information_schema.tables WHERE table_name = 'segments'",
    );
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['chosen', 'jeeves']));
    const misplaced = await ask(url, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'");
    expect(misplaced).toEqual([]);
  });

  it('are shared by whoever opens them: texts, stash, sessions and the current task', async () => {
    const place = schemaUrl(url, 'shared');
    const [here, there] = await Promise.all([openPostgresStores({ url: place }), openPostgresStores({ url: place })]);
    await here.recovery.put(entryOf('a'));
    await here.segments.write('p', [add('stashed here')]);
    await here.segments.setCurrentTask('p', 'task');
    await here.sessions.mark('s', new Map([['tool', 'hash']]));
    expect(await there.recovery.get('a')).toEqual(entryOf('a'));
    expect((await there.segments.texts('p', ['stashed here'])).size).toBe(1);
    expect(await there.segments.project('p')).toMatchObject({ currentTask: 'task', revision: 1 });
    expect(await there.sessions.read('s')).toEqual(new Map([['tool', 'hash']]));
    await Promise.all([here.close(), there.close()]);
  });

  it('are made once when many open them at the same moment', async () => {
    const place = schemaUrl(url, 'at_once');
    const all = await Promise.all(Array.from({ length: 6 }, () => openPostgresStores({ url: place })));
    await Promise.all(all.map((stores, at) => stores.segments.write(`p${at % 2}`, [add(`s${at}`)])));
    expect(await all[0]?.segments.list(undefined)).toHaveLength(6);
    await Promise.all(all.map((stores) => stores.close()));
  });

  it('let a pin and a stash race, and one of them wins', async () => {
    const place = schemaUrl(url, 'race');
    const [one, two] = await Promise.all([openPostgresStores({ url: place }), openPostgresStores({ url: place })]);
    for (let round = 0; round < 10; round += 1) {
      const id = `r${round}`;
      await one.segments.write('p', [add(id)]);
      const stash = { kind: 'change', segmentId: id, changes: { tier: 'stashed' }, onlyIf: { pinned: false } } as const;
      const pin = { kind: 'change', segmentId: id, changes: { pinned: true }, onlyIf: { tier: 'working' } } as const;
      const outcomes = await Promise.all([one.segments.write('p', [stash]), two.segments.write('p', [pin])]);
      expect(
        outcomes
          .flat()
          .map(({ result }) => result)
          .sort(),
      ).toEqual(['changed', 'refused']);
    }
    await Promise.all([one.close(), two.close()]);
  });

  it('bring a schema of the third version up to date and keep its texts', async () => {
    const place = schemaUrl(url, 'third');
    const before = await openPostgresStores({ url: place });
    await before.recovery.put(entryOf('kept'));
    await before.close();
    await ask(
      url,
      `ALTER TABLE third.recovery DROP COLUMN id, DROP COLUMN goal, DROP COLUMN quota;
       ALTER TABLE third.recovery_totals DROP COLUMN quota;
       CREATE TABLE third.digests (project integer PRIMARY KEY, revision bigint NOT NULL, bytes text NOT NULL);
       CREATE SEQUENCE third.session_uses; UPDATE third.jeeves_version SET steps = 3`,
    );
    const { recovery, close } = await openPostgresStores({ url: place });
    await recovery.put({ ...entryOf('later'), goal: 'why?' });
    expect(await recovery.get('kept')).toEqual(entryOf('kept'));
    // Earlier versions kept no ids that could be named.
    expect(await recovery.recent({ limit: 9 })).toMatchObject([{ pruneId: 'later', goal: 'why?' }]);
    await close();
    expect(
      await ask(url, "SELECT 1 FROM pg_class WHERE relname = 'digests' AND relnamespace = 'third'::regnamespace"),
    ).toEqual([]);
  });

  it('do not touch a schema of a newer version', async () => {
    const place = schemaUrl(url, 'newer');
    await (await openPostgresStores({ url: place })).close();
    await ask(url, 'UPDATE newer.jeeves_version SET steps = 999');
    expect((await failure(openPostgresStores({ url: place }))).message).toContain('A newer version of Jeeves');
  });

  it.each<[string, (given: URL) => void, string]>([
    ['a wrong password', (given) => void (given.password = 'wrong-but-secret'), 'Correct user and password'],
    ['a missing database', (given) => void (given.pathname = '/nowhere'), 'Create the database'],
    ['a closed port', (given) => void (given.port = '1'), 'Start the server'],
    [
      'a schema that is no plain name',
      (given) => given.searchParams.set('options', '-c search_path=a;b'),
      'one plain name',
    ],
    ['an address that is none', (given) => void (given.hostname = 'nowhere.invalid'), 'nowhere.invalid'],
  ])('answer %s with advice and without the password', async (_, change, advice) => {
    const given = new URL(url);
    change(given);
    const error = await failure(openPostgresStores({ url: given.href, patienceMs: 50 }));
    expect(error.message).toContain(advice);
    const told = JSON.stringify([error.message, error.data, error.stack, String(error.cause)]);
    expect(told).not.toContain(PASSWORD);
    expect(told).not.toContain('wrong-but-secret');
  });

  it('refuse a URL that cannot be read without repeating it', async () => {
    const error = await failure(openStores('postgres://user:sec ret@[bad/db'));
    expect(error.code).toBe('config_error');
    expect(`${error.message}${String(error.cause)}`).not.toContain('sec');
  });

  it('give up a statement that takes too long', async () => {
    const place = schemaUrl(url, 'slow');
    const stores = await openPostgresStores({ url: place, statementTimeoutMs: 200 });
    const { Client } = await import('pg');
    const blocker = new Client({ connectionString: url });
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE slow.projects');
    const error = await failure(stores.segments.write('p', [add('a')]));
    expect(error).toMatchObject({ code: 'store_failed', data: { code: '57014' } });
    await blocker.end();
    expect(await stores.segments.write('p', [add('a')])).toEqual([{ segmentId: 'a', result: 'added' }]);
    await stores.close();
  });
});

describe('a Postgres server that crashes', { timeout: STARTING_MS }, () => {
  let server: PostgresServer;
  let place: string;
  beforeAll(async () => {
    server = await startPostgres({ durable: true });
    place = await server.createDatabase();
  }, STARTING_MS);
  afterAll(async () => {
    await server.remove();
  });

  it('is found again after a restart, with every acknowledged write', async () => {
    const stores = await openPostgresStores({ url: place, patienceMs: 30_000 });
    const acknowledged: string[] = [];
    const writer = writeUntil(stores, acknowledged);
    for (let round = 0; round < 3; round += 1) {
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 5);
      await server.crash();
      await server.start();
    }
    await writer.stop();
    const texts = await stores.segments.texts('p', acknowledged);
    expect([...texts]).toEqual(expect.arrayContaining(acknowledged.map((id) => [id, segmentOf(id).text])));
    expect((await stores.segments.totals('p')).segments).toBe((await stores.segments.list('p')).length);
    await stores.close();
  });

  it('is a store_failed while it is away, and no crash of ours', async () => {
    const stores = await openPostgresStores({ url: place, patienceMs: 100 });
    await stores.recovery.put(entryOf('kept'));
    await server.crash();
    expect(await failure(stores.recovery.put(entryOf('lost')))).toMatchObject({ code: 'store_failed' });
    await server.start();
    expect(await stores.recovery.get('kept')).toEqual(entryOf('kept'));
    await stores.close();
  });
});

/** Writes segments one after the other; what a crash leaves unknown is neither counted nor written again. */
function writeUntil(stores: Stores, acknowledged: string[]): { stop(): Promise<void> } {
  const ending = new AbortController();
  const lane = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const id = randomUUID();
      const written = await stores.segments.write('p', [add(id)]).then(
        () => true,
        () => false,
      );
      if (written) acknowledged.push(id);
    }
  };
  const lanes = Promise.all([lane(), lane()]);
  return {
    async stop() {
      ending.abort();
      await lanes;
    },
  };
}
