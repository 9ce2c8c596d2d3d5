import { assertFits, maxEntries } from '../bounds.ts';
import { decodeId, decodeText, encodeId, encodeText } from '../codec.ts';
import type { ListingStore, RecentQuery, StoredSummary, StoredText, StoreLimits } from '../store.ts';
import type { Session, Transactions } from './database.ts';
import { keyOf } from './keys.ts';

export interface RecoveryOptions {
  readonly url: string;
  readonly limits: StoreLimits;
  readonly now: () => number;
}

/** Pruned texts that every process on the database can give back. */
export function createPostgresRecovery(database: Transactions, { url, limits, now }: RecoveryOptions): ListingStore {
  return {
    url,
    async put(entry, ttlMs = limits.ttlMs) {
      const { bytes, encoding } = encodeText(entry.text);
      assertFits(bytes.length, limits);
      const { firstLine, createdAt, goal } = entry;
      const named = [encodeId(entry.pruneId), goal === undefined ? null : encodeId(goal), limits.quota ?? ''];
      await database.transaction(async (session) => {
        await makeRoom(session, { key: keyOf(entry.pruneId), bytes: bytes.length, now: now(), limits });
        await session.all(
          `INSERT INTO recovery (key, first_line, created_at, expires_at, encoding, bytes, text, id, goal, quota)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
          [keyOf(entry.pruneId), firstLine, createdAt, now() + ttlMs, encoding, bytes.length, bytes, ...named],
        );
      });
    },
    get: async (pruneId) => await database.transaction((session) => getText(session, pruneId, now())),
    recent: async (query) => await database.transaction((session) => recentTexts(session, query, now())),
    close: () => database.close(),
  };
}

async function getText(session: Session, pruneId: string, now: number): Promise<StoredText | undefined> {
  const row = await session.get(
    'SELECT first_line, created_at, encoding, text, goal FROM recovery WHERE key = $1 AND expires_at > $2',
    [keyOf(pruneId), now],
  );
  if (row === undefined) return undefined;
  const text = decodeText(row['text'] as Buffer, String(row['encoding']));
  return { pruneId, text, firstLine: Number(row['first_line']), createdAt: Number(row['created_at']), ...goalOf(row) };
}

/** The newest texts that were put since ids are kept. */
async function recentTexts(session: Session, query: RecentQuery, now: number): Promise<StoredSummary[]> {
  const prefix = encodeId(query.prefix ?? '');
  const rows = await session.all(
    `SELECT id, bytes, created_at, goal FROM recovery
     WHERE expires_at > $1 AND substring(id from 1 for $2) = $3 ORDER BY seq DESC LIMIT $4`,
    [now, prefix.length, prefix, query.limit],
  );
  return rows.map((row) => ({
    pruneId: decodeId(row['id'] as Buffer),
    bytes: Number(row['bytes']),
    createdAt: Number(row['created_at']),
    ...goalOf(row),
  }));
}

function goalOf({ goal }: Readonly<Record<string, unknown>>): { goal?: string } {
  return goal instanceof Uint8Array ? { goal: decodeId(goal) } : {};
}

interface Room {
  readonly key: Buffer;
  readonly bytes: number;
  readonly now: number;
  readonly limits: StoreLimits;
}

/** Drops what has expired, then the oldest, and counts the text that comes. The row of its quota lets in one put at a time. */
async function makeRoom(session: Session, { key, bytes, now, limits }: Room): Promise<void> {
  const { quota = '' } = limits;
  await session.all(
    'INSERT INTO recovery_totals (entries, bytes, quota) VALUES (0, 0, $1) ON CONFLICT (quota) DO NOTHING',
    [quota],
  );
  const totals = await session.get('SELECT entries, bytes FROM recovery_totals WHERE quota = $1 FOR UPDATE', [quota]);
  const gone = await freed(session, 'quota = $3 AND (expires_at <= $1 OR key = $2)', [now, key, quota]);
  const entries = Number(totals?.['entries']) - gone.entries + 1;
  const held = Number(totals?.['bytes']) - gone.bytes + bytes;
  const [excessBytes, excessEntries] = [held - limits.maxBytes, entries - maxEntries(limits)];
  const evicted =
    excessBytes <= 0 && excessEntries <= 0
      ? { entries: 0, bytes: 0 }
      : await freed(
          session,
          `quota = $3 AND seq <= (SELECT seq FROM (
             SELECT seq, sum(bytes) OVER oldest AS freed, count(*) OVER oldest AS gone FROM recovery
             WHERE quota = $3 WINDOW oldest AS (ORDER BY seq)
           ) AS run WHERE freed >= $1 AND gone >= $2 ORDER BY seq LIMIT 1)`,
          [excessBytes, excessEntries, quota],
        );
  await session.all('UPDATE recovery_totals SET entries = $1, bytes = $2 WHERE quota = $3', [
    entries - evicted.entries,
    held - evicted.bytes,
    quota,
  ]);
}

async function freed(
  session: Session,
  where: string,
  values: readonly unknown[],
): Promise<{ entries: number; bytes: number }> {
  const row = await session.get(
    `WITH gone AS (DELETE FROM recovery WHERE ${where} RETURNING bytes)
     SELECT count(*) AS entries, coalesce(sum(bytes), 0) AS bytes FROM gone`,
    values,
  );
  return { entries: Number(row?.['entries']), bytes: Number(row?.['bytes']) };
}
