// The public surface of `@jeeves/store/postgres`: every line added here becomes API.
export { openPostgresStores, type PostgresOptions } from './store.ts';
