import { readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecoveryStore } from '@jeeves/engine';
import type { SegmentWrite } from '../src/segments.ts';
import { openSqliteStore, openSqliteStores } from '../src/sqlite/index.ts';
import { FileLock } from '../src/sqlite/lock.ts';
import { entryOf, segmentOf } from './texts.ts';

/** Programs that the store's tests run as processes of their own; what they have done, they say line by line. */
const programs: Readonly<Record<string, (...args: string[]) => Promise<void>>> = {
  write,
  fill,
  count,
  open,
  stash,
  overfill,
};

const [name = '', ...args] = process.argv.slice(2);
await programs[name]?.(...args);

/** Puts texts from four tasks at once until it is killed, or `limit` texts each. */
async function write(path: string, prefix: string, limit = 'Infinity'): Promise<void> {
  const store = await openSqliteStore({ path });
  const task = async (lane: number): Promise<void> => {
    for (let index = 0; index < Number(limit); index += 1) await acknowledged(store, `${prefix}-${lane}-${index}`);
  };
  await Promise.all([0, 1, 2, 3].map(task));
  await store.close();
}

async function acknowledged(store: RecoveryStore, pruneId: string): Promise<void> {
  await store.put(entryOf(pruneId));
  writeSync(1, `${pruneId}\n`);
}

/** Puts texts until one fails, then says how and reads the others back. */
async function fill(path: string): Promise<void> {
  const store = await openSqliteStore({ path });
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

/** Opens the store as an application would and says where it is. */
async function open(path: string): Promise<void> {
  const store = await openSqliteStore({ path });
  writeSync(1, `${store.url}\n`);
  await store.close();
}

/** Adds, stashes, pins and removes segments from two tasks at once until it is killed, saying each step once it is safe. */
async function stash(path: string, prefix: string): Promise<void> {
  // Who draws lots for the lock against many others on a busy machine may have to wait.
  const { segments } = await openSqliteStores({ path, lockWaitMs: 60_000 });
  const step = async (what: string, segmentId: string, write: SegmentWrite): Promise<void> => {
    await segments.write('p', [write]);
    writeSync(1, `${what} ${segmentId}\n`);
  };
  const lane = async (number: number): Promise<void> => {
    for (let index = 0; ; index += 1) {
      const segmentId = `${prefix}-${number}-${index}`;
      await step('added', segmentId, { kind: 'add', segment: segmentOf(segmentId) });
      await step('stashed', segmentId, { kind: 'change', segmentId, changes: { tier: 'stashed' } });
      if (index % 3 === 1) await step('pinned', segmentId, { kind: 'change', segmentId, changes: { pinned: true } });
      if (index % 3 !== 2) continue;
      writeSync(1, `removing ${segmentId}\n`);
      await step('removed', segmentId, { kind: 'remove', segmentId });
    }
  };
  await Promise.all([0, 1].map(lane));
}

/** Stashes segments until the disk is full, then says how it failed and what it still has. */
async function overfill(path: string): Promise<void> {
  const { segments } = await openSqliteStores({ path });
  const kept: string[] = [];
  const failure = await (async () => {
    for (let index = 0; index < 1000; index += 1) {
      const segment = segmentOf(`full-${index}`, { text: `${index} `.repeat(20_000) });
      const written = segments.write('p', [{ kind: 'add', segment }]);
      const error = await written.then(() => undefined).catch((reason: unknown) => reason);
      if (error !== undefined) return error as { code: string; message: string };
      kept.push(segment.segmentId);
    }
    return undefined;
  })();
  const readable = (await segments.texts('p', kept)).size;
  const listed = (await segments.list('p')).length;
  writeSync(1, `${JSON.stringify({ kept, readable, listed, failure: failure?.code, message: failure?.message })}\n`);
}
