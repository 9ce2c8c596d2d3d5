import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStores } from '../src/memory/stores.ts';
import { openPostgresStores } from '../src/postgres/index.ts';
import { openSqliteStores } from '../src/sqlite/index.ts';
import type { OpenStoresOptions, Stores } from '../src/stores.ts';
import { sharedPostgres } from './postgres-server.ts';

/** A kind of store, as the suites open it. */
export interface Harness {
  readonly name: string;
  /** Whether two openings of one place see the same. */
  readonly shares: boolean;
  /** Somewhere empty to open stores at. */
  readonly place: () => Promise<string>;
  readonly open: (place: string, options?: OpenStoresOptions) => Promise<Stores>;
  /** Removes whatever was left. */
  readonly clean: () => void;
  /** How many random runs are worth their time here. */
  readonly modelRuns: number;
}

const directory = join(tmpdir(), `jeeves-stores-${randomUUID()}`);

const MEMORY: Harness = {
  name: 'memory',
  shares: false,
  place: async () => '',
  open: async (_, options) => createMemoryStores(options),
  clean: () => undefined,
  modelRuns: 300,
};

const SQLITE: Harness = {
  name: 'SQLite',
  shares: true,
  place: async () => join(directory, `${randomUUID()}.db`),
  open: (path, options) => openSqliteStores({ ...options, path }),
  clean: () => rmSync(directory, { recursive: true, force: true }),
  modelRuns: 20,
};

let database: Promise<string> | undefined;

/** One database, and a schema of its own for every place in it. */
const POSTGRES: Harness = {
  name: 'Postgres',
  shares: true,
  async place() {
    database ??= sharedPostgres().then((server) => server.createDatabase());
    return schemaUrl(await database, `s_${randomUUID().replaceAll('-', '')}`);
  },
  open: (url, options) => openPostgresStores({ ...options, url }),
  clean: () => undefined,
  modelRuns: 10,
};

export const HARNESSES: readonly Harness[] = [MEMORY, SQLITE, POSTGRES];

/** Starting a server takes a while on a busy machine. */
export const STARTING_MS = 60_000;

export function schemaUrl(databaseUrl: string, schema: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return url.href;
}

export function temporaryDirectory(prefix: string): string {
  return mkdtempSync(join(tmpdir(), prefix));
}
