// The public surface of `@jeeves/engine/store/sqlite`: every line added here becomes API.
export { defaultStoreUrl, type OpenStoreOptions, openStore, openStores } from './open.ts';
export type { DriverName } from './sqlite/port.ts';
export {
  openSqliteStore,
  openSqliteStores,
  type SqliteStore,
  type SqliteStoreOptions,
  type SqliteStores,
} from './sqlite/store.ts';
