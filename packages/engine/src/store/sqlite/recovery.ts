import { assertFits, maxEntries } from '../bounds.ts';
import { decodeId, decodeText, encodeId, encodeText, type TextEncoding } from '../codec.ts';
import type { RecentQuery, StoredSummary, StoredText, StoreLimits, TextToKeep } from '../store.ts';
import type { Connection, SqlRow } from './port.ts';

/** A text on its way into the database. */
export interface EncodedEntry extends Omit<StoredText, 'text' | 'pruneId'> {
  readonly id: Uint8Array;
  readonly bytes: Uint8Array;
  readonly encoding: TextEncoding;
}

/** Throws when the text can never fit. */
export function encodeEntry(entry: TextToKeep, limits: StoreLimits): EncodedEntry {
  const { bytes, encoding } = encodeText(entry.text);
  assertFits(bytes.length, limits);
  const { pruneId, text: _, ...about } = entry;
  return { id: encodeId(pruneId), bytes, encoding, ...about };
}

/** What a turn knows already of a quota: connections live for one, and nobody else writes during it. */
interface Turn {
  readonly quota: string;
  entries: number;
  bytes: number;
}

const turns = new WeakMap<Connection, Turn>();

/** Keeps `entry`, dropping what has expired and then the oldest until it fits. Needs a transaction around it. */
export function putText(db: Connection, entry: EncodedEntry, limits: StoreLimits, now: number): void {
  const { id, bytes, encoding, firstLine, createdAt, goal } = entry;
  const { quota = '' } = limits;
  const last = turns.get(db);
  const turn = last?.quota === quota ? last : sweep(db, quota, now);
  if (turn.bytes + bytes.length > limits.maxBytes || turn.entries >= maxEntries(limits)) {
    // What it replaces makes room before anything else does.
    remove(db, id);
    sweep(db, quota, now);
    makeRoom(db, bytes.length, limits);
    turns.delete(db);
  }
  const kept = goal === undefined ? null : encodeId(goal);
  const values = [id, firstLine, createdAt, now + limits.ttlMs, encoding, bytes.length, bytes, kept, quota];
  try {
    db.run(INSERT, values);
  } catch (error) {
    // An id is hardly ever put twice, so nobody pays for looking.
    if (!isTaken(error)) throw error;
    remove(db, id);
    db.run(INSERT, values);
  }
  // At most too high: what was replaced, or rolled back, still counts until the turn is over.
  turn.bytes += bytes.length;
  turn.entries += 1;
}

const INSERT = `INSERT INTO recovery (prune_id, first_line, created_at, expires_at, encoding, bytes, text, goal, quota)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

function remove(db: Connection, id: Uint8Array): void {
  db.run('DELETE FROM recovery WHERE prune_id = ?', [id]);
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && error.message.includes('UNIQUE constraint failed');
}

/** Drops what has expired, once a turn rather than with every text. */
function sweep(db: Connection, quota: string, now: number): Turn {
  db.run('DELETE FROM recovery WHERE expires_at <= ?', [now]);
  const turn = { quota, ...totalsOf(db, quota) };
  turns.set(db, turn);
  return turn;
}

function totalsOf(db: Connection, quota: string): { entries: number; bytes: number } {
  const totals = db.get('SELECT entries, bytes FROM recovery_quotas WHERE quota = ?', [quota]);
  return { entries: Number(totals?.['entries'] ?? 0), bytes: Number(totals?.['bytes'] ?? 0) };
}

export function getText(db: Connection, pruneId: string, now: number): StoredText | undefined {
  const row = db.get(
    'SELECT first_line, created_at, encoding, text, goal FROM recovery WHERE prune_id = ? AND expires_at > ?',
    [encodeId(pruneId), now],
  );
  if (row === undefined) return undefined;
  const text = decodeText(row['text'] as Uint8Array, String(row['encoding']));
  return { pruneId, text, firstLine: Number(row['first_line']), createdAt: Number(row['created_at']), ...goalOf(row) };
}

/** The newest texts. An id is compared as bytes, and no byte of UTF-8 comes after the fence. */
export function recentTexts(db: Connection, { limit, prefix }: RecentQuery, now: number): StoredSummary[] {
  const [where, values] =
    prefix === undefined
      ? ['', []]
      : [' AND prune_id >= ? AND prune_id < ?', [encodeId(prefix), Buffer.concat([encodeId(prefix), Buffer.of(0xff)])]];
  const rows = db.all(
    `SELECT prune_id, bytes, created_at, goal FROM recovery WHERE expires_at > ?${where} ORDER BY seq DESC LIMIT ?`,
    [now, ...values, limit],
  );
  return rows.map((row) => ({
    pruneId: decodeId(row['prune_id'] as Uint8Array),
    bytes: Number(row['bytes']),
    createdAt: Number(row['created_at']),
    ...goalOf(row),
  }));
}

function goalOf({ goal }: SqlRow): { goal?: string } {
  return goal instanceof Uint8Array ? { goal: decodeId(goal) } : {};
}

/** Deletes the shortest run of oldest rows that frees enough bytes and entries. */
function makeRoom(db: Connection, bytes: number, limits: StoreLimits): void {
  const { quota = '' } = limits;
  const totals = totalsOf(db, quota);
  const excessBytes = totals.bytes + bytes - limits.maxBytes;
  const excessEntries = totals.entries + 1 - maxEntries(limits);
  if (excessBytes <= 0 && excessEntries <= 0) return;
  db.run(
    `DELETE FROM recovery WHERE quota = ? AND seq <= (
       SELECT seq FROM (
         SELECT seq, sum(bytes) OVER oldest AS freed, count(*) OVER oldest AS gone FROM recovery
         WHERE quota = ? WINDOW oldest AS (ORDER BY seq)
       ) WHERE freed >= ? AND gone >= ? LIMIT 1
     )`,
    [quota, quota, excessBytes, excessEntries],
  );
}
