// The public surface of `@jeeves/engine/store/sqlite`: every line added here becomes API.
export { defaultStoreUrl, type OpenStoreOptions, openStore } from './open.ts';
export type { DriverName } from './sqlite/port.ts';
export { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './sqlite/store.ts';
