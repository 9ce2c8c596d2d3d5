import { Buffer } from 'node:buffer';
import type { StoredText } from '@jeeves/engine';
import { assertFits, maxEntries } from '../bounds.ts';
import { decodeName, encodeName, encodeText } from '../codec.ts';
import type { StoreLimits } from '../limits.ts';
import type { ListingStore, RecentQuery, StoredSummary } from '../listing.ts';
import { textOf } from './rows.ts';
import type { Row, Session, Transactions } from './session.ts';

export interface RecoveryOptions {
  readonly url: string;
  readonly limits: StoreLimits;
  readonly now: () => number;
}

/** Pruned texts that every process on the database can give back. */
export function createRecovery(database: Transactions, { url, limits, now }: RecoveryOptions): ListingStore {
  return {
    url,
    async put({ pruneId, text, firstLine, createdAt, goal }, ttlMs = limits.ttlMs) {
      const { bytes, encoding } = encodeText(text);
      assertFits(bytes.length, limits);
      const named = [encodeName(pruneId), goal === undefined ? null : encodeName(goal), limits.quota ?? ''];
      await database.transaction(async (session) => {
        const key = session.dialect.key(pruneId);
        await makeRoom(session, { key, bytes: bytes.length, now: now(), limits });
        await session.all(
          `INSERT INTO recovery (key, first_line, created_at, expires_at, encoding, bytes, text, id, goal, quota)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
          [key, firstLine, createdAt, now() + ttlMs, encoding, bytes.length, bytes, ...named],
        );
      });
    },
    get: async (pruneId) => await database.transaction((session) => getText(session, pruneId, now())),
    recent: async (query) => await database.read((session) => recentTexts(session, query, now())),
    close: () => database.close(),
  };
}

async function getText(session: Session, pruneId: string, now: number): Promise<StoredText | undefined> {
  const row = await session.get(
    'SELECT first_line, created_at, encoding, text, goal FROM recovery WHERE key = $1 AND expires_at > $2',
    [session.dialect.key(pruneId), now],
  );
  if (row === undefined) return undefined;
  const [firstLine, createdAt] = [Number(row['first_line']), Number(row['created_at'])];
  return { pruneId, text: textOf(row), firstLine, createdAt, ...goalOf(row) };
}

/**
 * The newest texts. An id is compared as bytes, and no byte of UTF-8 comes after the fence. Texts of earlier versions in
 * Postgres have none.
 */
async function recentTexts(
  session: Session,
  { limit, prefix = '' }: RecentQuery,
  now: number,
): Promise<StoredSummary[]> {
  const [where, values] =
    prefix === ''
      ? ['id IS NOT NULL', []]
      : ['id >= $3 AND id < $4', [encodeName(prefix), Buffer.concat([encodeName(prefix), Buffer.of(0xff)])]];
  const rows = await session.all(
    `SELECT id, bytes, created_at, goal FROM recovery WHERE expires_at > $1 AND ${where} ORDER BY seq DESC LIMIT $2`,
    [now, limit, ...values],
  );
  return rows.map(summaryOf);
}

function summaryOf(row: Row): StoredSummary {
  const [pruneId, bytes] = [decodeName(row['id'] as Uint8Array), Number(row['bytes'])];
  return { pruneId, bytes, createdAt: Number(row['created_at']), ...goalOf(row) };
}

function goalOf({ goal }: Row): { goal?: string } {
  return goal instanceof Uint8Array ? { goal: decodeName(goal) } : {};
}

interface Room {
  readonly key: string | Uint8Array;
  readonly bytes: number;
  readonly now: number;
  readonly limits: StoreLimits;
}

/** Drops what has expired, then the oldest of its quota, and counts the text that comes. */
async function makeRoom(session: Session, { key, bytes, now, limits }: Room): Promise<void> {
  const { quota = '' } = limits;
  await lockTotals(session, quota);
  // What it replaces may be of another quota.
  await remove(session, 'expires_at <= $1 OR key = $2', [now, key]);
  const totals = await session.get(
    'UPDATE recovery_totals SET entries = entries + 1, bytes = bytes + $1 WHERE quota = $2 RETURNING entries, bytes',
    [bytes, quota],
  );
  const [excessBytes, excessEntries] = [
    Number(totals?.['bytes']) - limits.maxBytes,
    Number(totals?.['entries']) - maxEntries(limits),
  ];
  if (excessBytes <= 0 && excessEntries <= 0) return;
  await remove(
    session,
    `quota = $1 AND seq <= (SELECT seq FROM (
       SELECT seq, sum(bytes) OVER oldest AS freed, count(*) OVER oldest AS gone FROM recovery
       WHERE quota = $1 WINDOW oldest AS (ORDER BY seq)
     ) AS run WHERE freed >= $2 AND gone >= $3 ORDER BY seq LIMIT 1)`,
    [quota, excessBytes, excessEntries],
  );
}

/** Lets in one put at a time: all of them lock the rows in one order, and the first is there from the beginning. */
async function lockTotals(session: Session, quota: string): Promise<void> {
  const rows = await session.all(`SELECT quota FROM recovery_totals ORDER BY quota ${session.dialect.locked}`);
  if (rows.some((row) => row['quota'] === quota)) return;
  await session.all(
    'INSERT INTO recovery_totals (entries, bytes, quota) VALUES (0, 0, $1) ON CONFLICT (quota) DO NOTHING',
    [quota],
  );
}

/** Deletes texts and takes them off the totals of their quotas. */
async function remove(session: Session, where: string, values: readonly unknown[]): Promise<void> {
  const rows = await session.all(`DELETE FROM recovery WHERE ${where} RETURNING bytes, quota`, values);
  for (const quota of new Set(rows.map((row) => row['quota']))) {
    const gone = rows.filter((row) => row['quota'] === quota);
    await session.all('UPDATE recovery_totals SET entries = entries - $1, bytes = bytes - $2 WHERE quota = $3', [
      gone.length,
      gone.reduce((sum, row) => sum + Number(row['bytes']), 0),
      quota,
    ]);
  }
}
