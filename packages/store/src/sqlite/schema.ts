import type { Connection } from './connection.ts';

/** Marks the file as ours ("JEEV"), so that a path given by mistake never grows tables in somebody else's database. */
const APPLICATION_ID = 0x4a454556;

/**
 * The schema as steps: `PRAGMA user_version` says how many a file has seen. Released steps never change; new tables
 * are a new step at the end.
 */
export const STEPS: readonly string[] = [
  // The totals are kept by triggers so that no put has to sum up the table.
  `CREATE TABLE recovery (
     seq INTEGER PRIMARY KEY,
     prune_id BLOB NOT NULL UNIQUE,
     first_line INTEGER NOT NULL,
     created_at REAL NOT NULL,
     expires_at REAL NOT NULL,
     encoding TEXT NOT NULL,
     bytes INTEGER NOT NULL,
     text BLOB NOT NULL
   );
   CREATE INDEX recovery_expiry ON recovery (expires_at);
   CREATE TABLE recovery_totals (entries INTEGER NOT NULL, bytes INTEGER NOT NULL);
   INSERT INTO recovery_totals VALUES (0, 0);
   CREATE TRIGGER recovery_added AFTER INSERT ON recovery BEGIN
     UPDATE recovery_totals SET entries = entries + 1, bytes = bytes + NEW.bytes;
   END;
   CREATE TRIGGER recovery_removed AFTER DELETE ON recovery BEGIN
     UPDATE recovery_totals SET entries = entries - 1, bytes = bytes - OLD.bytes;
   END;`,
  // Names are packed (see packing.ts). Texts and words lie apart from the segments: most reads need neither.
  `CREATE TABLE projects (
     no INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     revision INTEGER NOT NULL DEFAULT 0,
     renewed_at INTEGER NOT NULL DEFAULT 0,
     collections INTEGER NOT NULL DEFAULT 0,
     old_after INTEGER NOT NULL DEFAULT 0,
     current_task TEXT
   );
   CREATE TABLE segments (
     seq INTEGER PRIMARY KEY,
     project INTEGER NOT NULL,
     id TEXT NOT NULL,
     origin TEXT,
     tier INTEGER NOT NULL,
     type TEXT NOT NULL,
     task TEXT,
     file TEXT,
     pinned INTEGER NOT NULL,
     created REAL NOT NULL,
     revision INTEGER NOT NULL,
     collections INTEGER NOT NULL,
     meta TEXT NOT NULL,
     UNIQUE (project, id)
   );
   CREATE UNIQUE INDEX segments_origin ON segments (project, origin) WHERE origin IS NOT NULL;
   CREATE INDEX segments_created ON segments (project, tier, created);
   CREATE INDEX segments_task ON segments (project, task, tier, created);
   CREATE INDEX segments_file ON segments (project, file) WHERE file IS NOT NULL;
   CREATE INDEX segments_revision ON segments (project, revision);
   CREATE TABLE segment_texts (seq INTEGER PRIMARY KEY, encoding TEXT NOT NULL, text BLOB NOT NULL);
   CREATE VIRTUAL TABLE segment_words USING fts5(
     line, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '#'"
   );
   CREATE TABLE segment_totals (
     project INTEGER NOT NULL,
     tier INTEGER NOT NULL,
     type TEXT NOT NULL,
     task TEXT NOT NULL,
     pinned INTEGER NOT NULL,
     segments INTEGER NOT NULL,
     tokens INTEGER NOT NULL,
     PRIMARY KEY (project, tier, type, task, pinned)
   ) WITHOUT ROWID;
   CREATE TABLE snapshots (
     no INTEGER PRIMARY KEY,
     project INTEGER NOT NULL,
     id TEXT NOT NULL,
     task TEXT,
     name TEXT,
     created REAL NOT NULL,
     segments INTEGER NOT NULL,
     tokens INTEGER NOT NULL,
     UNIQUE (project, id)
   );
   CREATE TABLE snapshot_segments (
     snapshot INTEGER NOT NULL,
     place INTEGER NOT NULL,
     meta TEXT NOT NULL,
     encoding TEXT NOT NULL,
     text BLOB NOT NULL,
     UNIQUE (snapshot, place)
   );
   CREATE TABLE sessions (
     key TEXT PRIMARY KEY,
     used INTEGER NOT NULL,
     expires_at REAL NOT NULL,
     marks TEXT NOT NULL
   );
   CREATE INDEX sessions_used ON sessions (used);
   CREATE INDEX sessions_expiry ON sessions (expires_at);`,
  // Small enough to ask of thousands of segments in a row whether they are in a project's stash.
  'CREATE INDEX segments_place ON segments (project, tier);',
  'CREATE TABLE digests (project INTEGER PRIMARY KEY, revision INTEGER NOT NULL, bytes BLOB NOT NULL);',
  // What a text was pruned for, so that a list of texts tells a person which is which.
  'ALTER TABLE recovery ADD COLUMN goal BLOB;',
  // Projects are read from their segments alone. The rest gives tables and columns the names they have in Postgres, so that
  // both are used with the same statements: what rows are found by is their key, and totals are counted by those who write. (Keys
  // that begin with FF are of ids that are no text, which no version has given out.)
  `DROP TABLE IF EXISTS digests;
   DROP TRIGGER recovery_added;
   DROP TRIGGER recovery_removed;
   ALTER TABLE recovery RENAME COLUMN prune_id TO key;
   ALTER TABLE recovery ADD COLUMN id BLOB;
   UPDATE recovery SET id = key, key = CASE hex(substr(key, 1, 1)) WHEN 'FF' THEN key ELSE json_quote(CAST(key AS TEXT)) END;
   CREATE INDEX recovery_ids ON recovery (id);
   ALTER TABLE projects RENAME COLUMN id TO key;
   ALTER TABLE projects ADD COLUMN id TEXT NOT NULL DEFAULT '';
   UPDATE projects SET id = key;
   ALTER TABLE segments RENAME COLUMN id TO key;
   ALTER TABLE snapshots RENAME COLUMN id TO key;
   ALTER TABLE snapshots ADD COLUMN id TEXT NOT NULL DEFAULT '';
   UPDATE snapshots SET id = key;
   ALTER TABLE segment_totals RENAME TO earlier_totals;
   CREATE TABLE segment_totals (
     project INTEGER NOT NULL,
     key TEXT NOT NULL,
     cell TEXT NOT NULL,
     segments INTEGER NOT NULL,
     tokens REAL NOT NULL,
     PRIMARY KEY (project, key)
   ) WITHOUT ROWID;
   INSERT INTO segment_totals (project, key, cell, segments, tokens)
     SELECT project, json_quote(cell), cell, segments, tokens FROM (
       SELECT project, segments, tokens,
         '["' || CASE tier WHEN 0 THEN 'working' ELSE 'stashed' END || '",' || type || ',' ||
         CASE task WHEN '' THEN 'null' ELSE task END || ',' || CASE pinned WHEN 1 THEN 'true' ELSE 'false' END || ']' AS cell
       FROM earlier_totals
     );
   DROP TABLE earlier_totals;`,
  // Texts of one quota never push out those of another, so each has totals of its own.
  `ALTER TABLE recovery ADD COLUMN quota TEXT NOT NULL DEFAULT '';
   CREATE INDEX recovery_quota ON recovery (quota, seq);
   ALTER TABLE recovery_totals ADD COLUMN quota TEXT NOT NULL DEFAULT '';
   CREATE UNIQUE INDEX recovery_totals_quota ON recovery_totals (quota);`,
];

/** Why an existing, readable database cannot be used. */
export class ForeignDatabaseError extends Error {}

/** Claims a fresh database and gives it every table. */
export function createSchema(db: Connection): void {
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  migrate(db);
}

/** Brings an existing database of ours up to date. */
export function migrate(db: Connection): void {
  if (pragma(db, 'application_id') !== APPLICATION_ID) throw new ForeignDatabaseError('it is not a Jeeves database');
  const version = pragma(db, 'user_version');
  if (version > STEPS.length) throw new ForeignDatabaseError('a newer version of Jeeves made it');
  for (let step = version; step < STEPS.length; step += 1) {
    takeStep(db, `${STEPS[step]} PRAGMA user_version = ${step + 1};`);
  }
}

function takeStep(db: Connection, sql: string): void {
  try {
    db.exec(`BEGIN IMMEDIATE; ${sql} COMMIT;`);
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** Everything `work` does, or nothing of it. Nobody else uses the connection meanwhile. */
export async function inTransaction<T>(db: Connection, work: () => Promise<T>): Promise<T> {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = await work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

function rollBack(db: Connection): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // SQLite has already rolled back by itself after some errors; the first error is the one worth showing.
  }
}

function pragma(db: Connection, name: string): number {
  return Number(db.all(`PRAGMA ${name}`)[0]?.[name] ?? 0);
}
