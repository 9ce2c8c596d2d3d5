import { rmdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { Database, JSValue, Statement } from 'node-sqlite3-wasm';
import type { Connection, Driver, SqlRow, SqlValue } from './port.ts';

/**
 * How much of a function must have run before it is compiled again, for speed. SQLite's largest functions take a core
 * for hundreds of milliseconds each; with the default of older runtimes, a tenth of this, that happens during the very
 * first statements, and a process with few of them is over before it pays.
 */
const RUN_BEFORE_SPEED = '--wasm-tiering-budget=18000000';

/** SQLite compiled to WebAssembly: slower than the runtime's own, but the same everywhere and nothing to build. */
export async function loadWasmDriver(): Promise<Driver> {
  setFlagsFromString(RUN_BEFORE_SPEED);
  const loaded = await import('node-sqlite3-wasm');
  // A CommonJS module: whether its names are seen besides `default` depends on who loads it.
  const { Database: Wasm } = 'default' in loaded ? (loaded.default as typeof loaded) : loaded;
  return {
    name: 'wasm',
    open(path) {
      removeLeftLock(path);
      return connect(new Wasm(path));
    },
  };
}

function connect(database: Database): Connection {
  // Few statements do all the work: each is read once per connection.
  const prepared = new Map<string, Statement>();
  const using = <T>(sql: string, use: (statement: Statement) => T): T => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    try {
      return use(statement);
    } catch (error) {
      prepared.delete(sql);
      finalizeQuietly(statement);
      throw error;
    }
  };
  // To the last row, where a statement comes to rest: one that is left in the middle keeps its hold on the file.
  const all = (sql: string, values: readonly SqlValue[] = []): SqlRow[] =>
    using(sql, (statement) => statement.all(bound(values)) as SqlRow[]);
  return {
    exec: (sql) => database.exec(sql),
    run: (sql, values = []) => using(sql, (statement) => void statement.run(bound(values))),
    get: (sql, values) => all(sql, values)[0],
    all,
    close() {
      for (const statement of prepared.values()) finalizeQuietly(statement);
      database.close();
    },
  };
}

/** A statement that failed fails once more when it is put away. */
function finalizeQuietly(statement: Statement): void {
  try {
    statement.finalize();
  } catch {
    // See above: the error was shown when it happened.
  }
}

function bound(values: readonly SqlValue[]): JSValue[] {
  return [...values];
}

/**
 * This build locks by making the directory `<path>.lock`, and a killed process leaves it behind for ever.
 * Every caller holds our own lock (see lock.ts), so one that is found here belongs to nobody alive.
 */
function removeLeftLock(path: string): void {
  try {
    rmdirSync(`${path}.lock`);
  } catch {
    // Usually there is none; one that cannot be removed shows as "database is locked".
  }
}
