import { assertFits, maxEntries } from '../bounds.ts';
import { decodeText, encodeId, encodeText, type TextEncoding } from '../codec.ts';
import type { StoredText, StoreLimits } from '../store.ts';
import type { Connection } from './port.ts';

/** A text on its way into the database. */
export interface EncodedEntry extends Omit<StoredText, 'text' | 'pruneId'> {
  readonly id: Uint8Array;
  readonly bytes: Uint8Array;
  readonly encoding: TextEncoding;
}

/** Throws when the text can never fit. */
export function encodeEntry(entry: StoredText, limits: StoreLimits): EncodedEntry {
  const { bytes, encoding } = encodeText(entry.text);
  assertFits(bytes.length, limits);
  return { id: encodeId(entry.pruneId), bytes, encoding, firstLine: entry.firstLine, createdAt: entry.createdAt };
}

/** What a turn knows already: connections live for one, and nobody else writes during it. */
interface Turn {
  entries: number;
  bytes: number;
}

const turns = new WeakMap<Connection, Turn>();

/** Keeps `entry`, dropping what has expired and then the oldest until it fits. Needs a transaction around it. */
export function putText(db: Connection, entry: EncodedEntry, limits: StoreLimits, now: number): void {
  const { id, bytes, encoding, firstLine, createdAt } = entry;
  const turn = turns.get(db) ?? sweep(db, now);
  db.run('DELETE FROM recovery WHERE prune_id = ?', [id]);
  if (turn.bytes + bytes.length > limits.maxBytes || turn.entries >= maxEntries(limits)) {
    sweep(db, now);
    makeRoom(db, bytes.length, limits);
    turns.delete(db);
  }
  db.run(
    `INSERT INTO recovery (prune_id, first_line, created_at, expires_at, encoding, bytes, text)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [id, firstLine, createdAt, now + limits.ttlMs, encoding, bytes.length, bytes],
  );
  // At most too high: what was replaced, or rolled back, still counts until the turn is over.
  turn.bytes += bytes.length;
  turn.entries += 1;
}

/** Drops what has expired, once a turn rather than with every text. */
function sweep(db: Connection, now: number): Turn {
  db.run('DELETE FROM recovery WHERE expires_at <= ?', [now]);
  const totals = db.get('SELECT entries, bytes FROM recovery_totals');
  const turn = { entries: Number(totals?.['entries']), bytes: Number(totals?.['bytes']) };
  turns.set(db, turn);
  return turn;
}

export function getText(db: Connection, pruneId: string, now: number): StoredText | undefined {
  const row = db.get(
    'SELECT first_line, created_at, encoding, text FROM recovery WHERE prune_id = ? AND expires_at > ?',
    [encodeId(pruneId), now],
  );
  if (row === undefined) return undefined;
  const text = decodeText(row['text'] as Uint8Array, String(row['encoding']));
  return { pruneId, text, firstLine: Number(row['first_line']), createdAt: Number(row['created_at']) };
}

/** Deletes the shortest run of oldest rows that frees enough bytes and entries. */
function makeRoom(db: Connection, bytes: number, limits: StoreLimits): void {
  const totals = db.get('SELECT entries, bytes FROM recovery_totals');
  const excessBytes = Number(totals?.['bytes']) + bytes - limits.maxBytes;
  const excessEntries = Number(totals?.['entries']) + 1 - maxEntries(limits);
  if (excessBytes <= 0 && excessEntries <= 0) return;
  db.run(
    `DELETE FROM recovery WHERE seq <= (
       SELECT seq FROM (
         SELECT seq, sum(bytes) OVER oldest AS freed, count(*) OVER oldest AS gone FROM recovery
         WINDOW oldest AS (ORDER BY seq)
       ) WHERE freed >= ? AND gone >= ? LIMIT 1
     )`,
    [excessBytes, excessEntries],
  );
}
