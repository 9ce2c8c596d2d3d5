import { readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileLock } from '../../src/store/sqlite/lock.ts';
import { type DriverName, openSqliteStore, type SqliteStore } from '../../src/store/sqlite.ts';
import { entryOf } from './texts.ts';

/** Programs that the store's tests run as processes of their own; what they have done, they say line by line. */
const programs: Readonly<Record<string, (...args: string[]) => Promise<void>>> = { write, fill, count, open };

const [name = '', ...args] = process.argv.slice(2);
await programs[name]?.(...args);

/** Puts texts from four tasks at once until it is killed, or `limit` texts each. */
async function write(path: string, driver: string, prefix: string, limit = 'Infinity'): Promise<void> {
  const store = await openSqliteStore({ path, driver: driver as DriverName });
  const task = async (lane: number): Promise<void> => {
    for (let index = 0; index < Number(limit); index += 1) await acknowledged(store, `${prefix}-${lane}-${index}`);
  };
  await Promise.all([0, 1, 2, 3].map(task));
  await store.close();
}

async function acknowledged(store: SqliteStore, pruneId: string): Promise<void> {
  await store.put(entryOf(pruneId));
  writeSync(1, `${pruneId}\n`);
}

/** Puts texts until one fails, then says how and reads the others back. */
async function fill(path: string, driver: string): Promise<void> {
  const store = await openSqliteStore({ path, driver: driver as DriverName });
  const kept: string[] = [];
  const failure = await (async () => {
    for (let index = 0; index < 1000; index += 1) {
      const pruneId = `fill-${index}`;
      const error = await store.put(entryOf(pruneId, pruneId.repeat(10_000))).catch((reason: unknown) => reason);
      if (error !== undefined) return error as { code: string; message: string };
      kept.push(pruneId);
    }
    return undefined;
  })();
  const texts = await Promise.all(kept.map(async (id) => (await store.get(id))?.text === id.repeat(10_000)));
  writeSync(
    1,
    `${JSON.stringify({ kept, failure: failure?.code, message: failure?.message, intact: !texts.includes(false) })}\n`,
  );
}

/** Adds one to a number in a file `times` times under the lock, and leaves the lock behind as the dead would. */
async function count(path: string, times: string, deadOwner: string): Promise<void> {
  const lock = new FileLock(path);
  for (let done = 0; done < Number(times); ) {
    if (!lock.tryAcquire()) {
      await sleep(Math.random());
      continue;
    }
    writeFileSync(path, String(Number(readFileSync(path, 'utf8')) + 1));
    done += 1;
    if (done % 2 === 0) lock.release();
    else leaveAsDead(lock, `${deadOwner}${done}`);
  }
  writeSync(1, 'done\n');
}

function leaveAsDead(lock: FileLock, deadOwner: string): void {
  const mine = lock.livingOwners().find((owner) => owner.startsWith(`${process.pid}.`)) ?? '';
  renameSync(join(lock.path, mine), join(lock.path, deadOwner));
}

/** Opens the store as an application would and says which driver it got. */
async function open(path: string): Promise<void> {
  const store = await openSqliteStore({ path });
  writeSync(1, `${store.driver}\n`);
  await store.close();
}
