// The public surface of `@jeeves/engine/store/postgres`: every line added here becomes API.
export { openPostgresStores, type PostgresOptions } from './postgres/store.ts';
