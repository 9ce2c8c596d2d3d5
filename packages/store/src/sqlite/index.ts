// The public surface of `@jeeves/store/sqlite`: every line added here becomes API.
export type { DriverName } from './port.ts';
export {
  openSqliteStore,
  openSqliteStores,
  type SqliteStore,
  type SqliteStoreOptions,
  type SqliteStores,
} from './store.ts';
