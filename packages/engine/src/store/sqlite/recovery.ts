import { assertFits, maxEntries } from '../bounds.ts';
import type { StoredText, StoreLimits } from '../store.ts';
import { decodeText, encodeId, encodeText, type TextEncoding } from './codec.ts';
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

/** Keeps `entry`, dropping what has expired and then the oldest until it fits. Needs a transaction around it. */
export function putText(db: Connection, entry: EncodedEntry, limits: StoreLimits, now: number): void {
  const { id, bytes, encoding, firstLine, createdAt } = entry;
  db.run('DELETE FROM recovery WHERE expires_at <= ? OR prune_id = ?', [now, id]);
  makeRoom(db, bytes.length, limits);
  db.run(
    `INSERT INTO recovery (prune_id, first_line, created_at, expires_at, encoding, bytes, text)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [id, firstLine, createdAt, now + limits.ttlMs, encoding, bytes.length, bytes],
  );
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
