import type { Connection, Driver, SqlRow, SqlValue } from './port.ts';

/** The part of `node:sqlite` used here; the types of the oldest supported Node do not know the module. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => NodeDatabase;
}
interface NodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
}
interface NodeStatement {
  run(...values: readonly SqlValue[]): unknown;
  get(...values: readonly SqlValue[]): SqlRow | undefined;
  all(...values: readonly SqlValue[]): SqlRow[];
}

/** The runtime's own SQLite, or undefined where the runtime has none (Node before 22.13). */
export function loadNodeDriver(): Driver | undefined {
  const sqlite = withoutSqliteWarning(() => process.getBuiltinModule('node:sqlite') as unknown);
  if (!isNodeSqlite(sqlite)) return undefined;
  return { name: 'node', open: (path) => connect(new sqlite.DatabaseSync(path)) };
}

function connect(database: NodeDatabase): Connection {
  // Many rows are written with few statements: each is read once per turn.
  const prepared = new Map<string, NodeStatement>();
  return {
    exec: (sql) => database.exec(sql),
    run(sql, values = []) {
      const statement = prepared.get(sql) ?? database.prepare(sql);
      prepared.set(sql, statement);
      statement.run(...values);
    },
    get: (sql, values = []) => database.prepare(sql).get(...values),
    all: (sql, values = []) => database.prepare(sql).all(...values),
    close: () => database.close(),
  };
}

function isNodeSqlite(module: unknown): module is NodeSqlite {
  return typeof module === 'object' && module !== null && 'DatabaseSync' in module;
}

/** Some versions warn on stderr that the module is experimental; agent clients show stderr to people. */
function withoutSqliteWarning<T>(load: () => T): T {
  const emitWarning = Reflect.get(process, 'emitWarning') as (...details: unknown[]) => void;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    const aboutSqlite = String(warning).startsWith('SQLite') && rest[0] === 'ExperimentalWarning';
    if (!aboutSqlite) Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
