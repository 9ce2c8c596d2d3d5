import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Connect, Connection } from './connection.ts';
import { assertRegular } from './path.ts';
import { createSchema, migrate } from './schema.ts';

/** Called each turn: somebody may clear the state directory while the process runs. */
export function makeDirectory(path: string): void {
  const directory = dirname(path);
  if (!existsSync(directory)) makeMissing(directory);
}

/** One by one: the platform's own way never ends where a directory exists in which none can be made, as in `/proc`. */
function makeMissing(directory: string): void {
  const parent = dirname(directory);
  if (!existsSync(parent)) makeMissing(parent);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Opens the database for one turn under our lock, making it first where there is none.
 *
 * Exclusive locking mode lets SQLite keep its write-ahead log without shared memory, which the WebAssembly build lacks.
 * Its rollback journal is no alternative: that build takes its own lock for another writer's and so never rolls a
 * killed writer's journal back. Nothing of the database stays in a process between two turns.
 */
export function openDatabase(connect: Connect, path: string): Connection {
  if (isMissing(path)) create(connect, path);
  return configured(connect(path), migrate);
}

/** A half-made database must never be seen under its real name: it is built beside it and moved there. */
function create(connect: Connect, path: string): void {
  const draft = `${path}.new`;
  for (const left of [draft, `${draft}-wal`, `${draft}-journal`, `${draft}.lock`]) {
    rmSync(left, { recursive: true, force: true });
  }
  closeSync(openSync(draft, 'wx', 0o600));
  configured(connect(draft), createSchema).close();
  sync(draft);
  // The log of a database that somebody deleted would be replayed into the new one.
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${path}-wal.orphan`);
  renameSync(draft, path);
  sync(dirname(path));
}

function configured(db: Connection, prepare: (db: Connection) => void): Connection {
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec('PRAGMA synchronous = FULL');
    // A search touches a few hundred pages again and again; the default of 2 MiB forgets them in between.
    db.exec('PRAGMA cache_size = -16384');
    const mode = db.all('PRAGMA journal_mode = WAL')[0]?.['journal_mode'];
    if (mode !== 'wal') throw new Error(`the journal mode is ${String(mode)} and cannot be changed`);
    prepare(db);
    return db;
  } catch (error) {
    closeQuietly(db);
    throw error;
  }
}

/** Which file has this name now; another one after it was deleted and made again. */
export function fileNumber(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}

/** After an error, or once everything is committed, a failing close changes nothing: the log is replayed next time. */
export function closeQuietly(db: Connection): void {
  try {
    db.close();
  } catch {
    // See above.
  }
}

function isMissing(path: string): boolean {
  const stats = assertRegular(path);
  return stats === undefined || stats.size === 0;
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
