import { rmdirSync } from 'node:fs';
import type { Database, JSValue, Statement } from 'node-sqlite3-wasm';

/** A value as SQLite stores it. Texts travel as blobs: bound as text, they would end at their first NUL. */
export type SqlValue = number | bigint | string | Uint8Array | null;

export type SqlRow = Readonly<Record<string, SqlValue>>;

/** The few verbs the store needs. All of them throw SQLite's own errors. */
export interface Connection {
  /** Runs statements that take no values. */
  exec(sql: string): void;
  run(sql: string, values?: readonly SqlValue[]): void;
  get(sql: string, values?: readonly SqlValue[]): SqlRow | undefined;
  all(sql: string, values?: readonly SqlValue[]): SqlRow[];
  close(): void;
}

/** Opens a file. */
export type Connect = (path: string) => Connection;

/** SQLite compiled to WebAssembly: the same everywhere, and nothing to build. */
export async function loadSqlite(): Promise<Connect> {
  const loaded = await import('node-sqlite3-wasm');
  // A CommonJS module: whether its names are seen besides `default` depends on who loads it.
  const { Database: Wasm } = 'default' in loaded ? (loaded.default as typeof loaded) : loaded;
  return (path) => {
    removeLeftLock(path);
    return connect(new Wasm(path));
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
 * SQLite's build for WebAssembly locks by making the directory `<path>.lock`, and a killed process leaves it behind for ever.
 * Every caller holds our own lock (see lock.ts), so one that is found here belongs to nobody alive.
 */
function removeLeftLock(path: string): void {
  try {
    rmdirSync(`${path}.lock`);
  } catch {
    // Usually there is none; one that cannot be removed shows as "database is locked".
  }
}
