// The public surface of `@jeeves/store/sqlite`: every line added here becomes API.
export {
  openSqliteStore,
  openSqliteStores,
  type SqliteStoreOptions,
} from './store.ts';
