import { EngineError } from '@jeeves/engine';
import type { PoolClient, QueryConfig } from 'pg';
import { INDEXED } from './stretches.ts';

/**
 * The schema as steps; the table `jeeves_version` says how many a database has seen. Released steps never change; new
 * tables are a new step at the end. Names may be of any length, which no index of Postgres takes: keys are digests.
 */
const STEPS: readonly string[] = [
  `CREATE TABLE recovery (
     seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     key bytea NOT NULL UNIQUE,
     first_line bigint NOT NULL,
     created_at double precision NOT NULL,
     expires_at double precision NOT NULL,
     encoding text NOT NULL,
     bytes bigint NOT NULL,
     text bytea NOT NULL
   );
   CREATE INDEX recovery_expiry ON recovery (expires_at);
   CREATE TABLE recovery_totals (entries bigint NOT NULL, bytes bigint NOT NULL);
   INSERT INTO recovery_totals VALUES (0, 0);
   CREATE TABLE projects (
     no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     key bytea NOT NULL UNIQUE,
     id text NOT NULL,
     revision bigint NOT NULL DEFAULT 0,
     renewed_at bigint NOT NULL DEFAULT 0,
     collections integer NOT NULL DEFAULT 0,
     old_after integer NOT NULL DEFAULT 0,
     current_task text
   );
   CREATE TABLE segments (
     seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     project integer NOT NULL,
     key bytea NOT NULL,
     origin bytea,
     tier smallint NOT NULL,
     type bytea NOT NULL,
     task bytea,
     file bytea,
     pinned boolean NOT NULL,
     created double precision NOT NULL,
     revision bigint NOT NULL,
     collections integer NOT NULL,
     meta text NOT NULL,
     UNIQUE (project, key)
   );
   CREATE UNIQUE INDEX segments_origin ON segments (project, origin) WHERE origin IS NOT NULL;
   CREATE INDEX segments_created ON segments (project, tier, created);
   CREATE INDEX segments_task ON segments (project, task, tier, created);
   CREATE INDEX segments_file ON segments (project, file) WHERE file IS NOT NULL;
   CREATE INDEX segments_revision ON segments (project, revision);
   CREATE TABLE segment_texts (seq bigint PRIMARY KEY, encoding text NOT NULL, text bytea NOT NULL);
   CREATE TABLE segment_words (seq bigint PRIMARY KEY, project integer NOT NULL, words tsvector NOT NULL);
   CREATE INDEX segment_words_index ON segment_words USING gin (words) WITH (fastupdate = off);
   CREATE INDEX segment_words_newest ON segment_words (project, seq);
   CREATE TABLE segment_totals (
     project integer NOT NULL,
     key bytea NOT NULL,
     cell text NOT NULL,
     segments bigint NOT NULL,
     tokens double precision NOT NULL,
     PRIMARY KEY (project, key)
   );
   CREATE TABLE snapshots (
     no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     project integer NOT NULL,
     key bytea NOT NULL,
     id text NOT NULL,
     task text,
     name text,
     created double precision NOT NULL,
     segments bigint NOT NULL,
     tokens double precision NOT NULL,
     UNIQUE (project, key)
   );
   CREATE TABLE snapshot_segments (
     snapshot bigint NOT NULL,
     place integer NOT NULL,
     meta text NOT NULL,
     encoding text NOT NULL,
     text bytea NOT NULL,
     PRIMARY KEY (snapshot, place)
   );
   CREATE SEQUENCE session_uses;
   CREATE TABLE sessions (
     key bytea PRIMARY KEY,
     used bigint NOT NULL,
     expires_at double precision NOT NULL,
     marks text NOT NULL
   );
   CREATE INDEX sessions_used ON sessions (used);
   CREATE INDEX sessions_expiry ON sessions (expires_at);`,
  // In base64: the client reads every value as a text, and bytes as one of twice their length. They are compact
  // already, so the server would only lose time on packing them once more.
  `CREATE TABLE digests (project integer PRIMARY KEY, revision bigint NOT NULL, bytes text NOT NULL);
   ALTER TABLE digests ALTER COLUMN bytes SET STORAGE EXTERNAL;`,
  // Searches read of a segment its number, project and tier by the thousand, and its words never: the index has them. So
  // the words lie apart. The server moves what makes a row long, and the filler, all but nothing once it is packed, does.
  `DROP INDEX segment_words_index;
   ALTER TABLE segment_words SET (toast_tuple_target = 128), ALTER COLUMN words SET STORAGE EXTERNAL;
   ALTER TABLE segment_words
     ADD COLUMN tier smallint GENERATED ALWAYS AS (CASE WHEN words @@ '''#t1''' THEN 1 ELSE 0 END) STORED,
     ADD COLUMN filler text GENERATED ALWAYS AS (repeat(' ', 2048)) STORED;
   CREATE INDEX segment_words_sought ON segment_words USING gin (${INDEXED}) WITH (fastupdate = off);`,
  // A list of texts needs the ids themselves, which the keys do not tell. Bytes: neither has to be a text to Postgres.
  'ALTER TABLE recovery ADD COLUMN IF NOT EXISTS id bytea, ADD COLUMN IF NOT EXISTS goal bytea;',
  // Projects are read from their segments alone, and the uses of sessions are counted in their table.
  'DROP TABLE IF EXISTS digests; DROP SEQUENCE IF EXISTS session_uses;',
  // Texts of one quota never push out those of another, so each has totals of its own.
  `ALTER TABLE recovery ADD COLUMN IF NOT EXISTS quota text NOT NULL DEFAULT '';
   CREATE INDEX IF NOT EXISTS recovery_quota ON recovery (quota, seq);
   ALTER TABLE recovery_totals ADD COLUMN IF NOT EXISTS quota text NOT NULL DEFAULT '';
   CREATE UNIQUE INDEX IF NOT EXISTS recovery_totals_quota ON recovery_totals (quota);`,
];

/** "JEEV": whoever migrates waits for whoever does so already. */
const MIGRATION_LOCK = 0x4a454556;
/** How long a step, or whoever waits for another process to take it, may last. */
const PATIENCE_MS = 1_800_000;

/** Brings the schema up to date, making it first where there is none. */
export async function migrate(client: PoolClient, schema: string): Promise<void> {
  await client.query('BEGIN; SET LOCAL statement_timeout = 0');
  await client.query(withPatience('SELECT pg_advisory_xact_lock($1, hashtext($2))', [MIGRATION_LOCK, schema]));
  const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  // Whoever may not create a schema can still use one that was made for it.
  if (rowCount === 0) await client.query(`CREATE SCHEMA ${schema}`);
  await client.query('CREATE TABLE IF NOT EXISTS jeeves_version (steps integer NOT NULL)');
  const { rows } = await client.query<{ steps: number }>('SELECT steps FROM jeeves_version');
  const seen = rows[0]?.steps ?? 0;
  if (seen > STEPS.length)
    throw new EngineError('store_failed', 'A newer version of Jeeves made this schema; use that version.');
  for (const step of STEPS.slice(seen)) await client.query(withPatience(step));
  if (rows.length === 0) await client.query('INSERT INTO jeeves_version VALUES ($1)', [STEPS.length]);
  else if (seen < STEPS.length) await client.query('UPDATE jeeves_version SET steps = $1', [STEPS.length]);
  await client.query('COMMIT');
}

/** A step works on all there is, which may take longer than any other statement. The client's types do not know of it. */
function withPatience(sql: string, values?: unknown[]): QueryConfig {
  return { text: sql, ...(values === undefined ? {} : { values }), query_timeout: PATIENCE_MS } as QueryConfig;
}
