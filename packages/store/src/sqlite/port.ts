/** A value as SQLite stores it. Texts travel as blobs: bound as text, one driver cuts them at the first NUL. */
export type SqlValue = number | bigint | string | Uint8Array | null;

export type SqlRow = Readonly<Record<string, SqlValue>>;

/** The few verbs the store needs; every driver has its own spelling of them. All of them throw the driver's errors. */
export interface Connection {
  /** Runs statements that take no values. */
  exec(sql: string): void;
  run(sql: string, values?: readonly SqlValue[]): void;
  get(sql: string, values?: readonly SqlValue[]): SqlRow | undefined;
  all(sql: string, values?: readonly SqlValue[]): SqlRow[];
  close(): void;
}

export type DriverName = 'node' | 'wasm';

export interface Driver {
  readonly name: DriverName;
  open(path: string): Connection;
}
