import { rmdirSync } from 'node:fs';
import type { Database, JSValue, Statement } from 'node-sqlite3-wasm';
import type { Row } from '../sql/session.ts';

/**
 * The few verbs the store needs. All of them throw SQLite's own errors. What a text may hold is bound as bytes: bound as a
 * text, it would end at its first NUL.
 */
export interface Connection {
  /** Runs statements that take no values. */
  exec(sql: string): void;
  /** The rows of one statement. */
  all(sql: string, values?: readonly unknown[]): Row[];
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
  return {
    exec: (sql) => database.exec(sql),
    all(sql, values = []) {
      const statement = prepared.get(sql) ?? database.prepare(numbered(sql));
      prepared.set(sql, statement);
      try {
        // To the last row, where a statement comes to rest: one that is left in the middle keeps its hold on the file.
        return statement.all(values.map(bound));
      } catch (error) {
        prepared.delete(sql);
        finalizeQuietly(statement);
        throw error;
      }
    },
    close() {
      for (const statement of prepared.values()) finalizeQuietly(statement);
      database.close();
    },
  };
}

/** To SQLite, `$1` is a name; `?1` is a number. */
function numbered(sql: string): string {
  return sql.replaceAll(/\$(\d+)/g, '?$1');
}

/** A statement that failed fails once more when it is put away. */
function finalizeQuietly(statement: Statement): void {
  try {
    statement.finalize();
  } catch {
    // See above: the error was shown when it happened.
  }
}

/** A list is one value: `json_each` takes it apart. */
function bound(value: unknown): JSValue {
  return Array.isArray(value) ? JSON.stringify(value) : (value as JSValue);
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
