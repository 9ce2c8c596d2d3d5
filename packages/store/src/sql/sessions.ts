import type { SessionLimits, SessionMarks, SessionStore } from '../sessions.ts';
import type { Session, Transactions } from './session.ts';

export interface SessionOptions {
  readonly url: string;
  readonly limits: SessionLimits;
  readonly now: () => number;
}

/** Catalogue sessions that every process on the database knows. Every use is a write: it starts the session's time anew. */
export function createSessions(database: Transactions, options: SessionOptions): SessionStore {
  return {
    url: options.url,
    read: async (sessionKey) => await database.transaction((session) => useSession(session, sessionKey, options)),
    mark: async (sessionKey, marks) =>
      await database.transaction((session) => markSession(session, sessionKey, marks, options)),
    async unmark(sessionKey, names) {
      await database.transaction(async (session) => {
        const left = await useSession(session, sessionKey, options);
        if (left === undefined || names.length === 0) return;
        for (const name of names) left.delete(name);
        await saveMarks(session, sessionKey, left);
      });
    },
    remove: async (sessionKey) =>
      await database.transaction(async (session) => {
        const alive = (await useSession(session, sessionKey, options)) !== undefined;
        await session.all('DELETE FROM sessions WHERE key = $1', [session.dialect.key(sessionKey)]);
        return alive;
      }),
    close: () => database.close(),
  };
}

/** Later than every other use. Two at the same moment may share it: nobody can tell which of them came first. */
const LATEST = '(SELECT coalesce(max(used), 0) + 1 FROM sessions)';

/** Locks the session's row, so that what others add meanwhile waits. */
async function useSession(
  session: Session,
  sessionKey: string,
  { limits, now }: SessionOptions,
): Promise<Map<string, string> | undefined> {
  const row = await session.get(
    `UPDATE sessions SET expires_at = $1, used = ${LATEST} WHERE key = $2 AND expires_at > $3 RETURNING marks`,
    [now() + limits.ttlMs, session.dialect.key(sessionKey), now()],
  );
  return row === undefined ? undefined : new Map(JSON.parse(String(row['marks'])) as [string, string][]);
}

async function markSession(
  session: Session,
  sessionKey: string,
  marks: SessionMarks,
  options: SessionOptions,
): Promise<void> {
  const known = (await useSession(session, sessionKey, options)) ?? (await begin(session, sessionKey, options));
  if ([...marks].every(([name, hash]) => known.get(name) === hash)) return;
  await saveMarks(session, sessionKey, new Map([...known, ...marks]));
}

/** Two processes may begin one session at once: whoever comes second waits for the first and goes on from there. */
async function begin(session: Session, sessionKey: string, options: SessionOptions): Promise<Map<string, string>> {
  const { limits, now } = options;
  await session.all('DELETE FROM sessions WHERE expires_at <= $1', [now()]);
  const counted = await session.get('SELECT count(*) AS n FROM sessions');
  const excess = Number(counted?.['n']) + 1 - limits.maxSessions;
  if (excess > 0) {
    const oldest = `SELECT key FROM sessions ORDER BY used LIMIT $1 ${session.dialect.unlocked}`;
    await session.all(`DELETE FROM sessions WHERE key IN (${oldest})`, [excess]);
  }
  await session.all(
    `INSERT INTO sessions (key, used, expires_at, marks) VALUES ($1, ${LATEST}, $2, '[]') ON CONFLICT DO NOTHING`,
    [session.dialect.key(sessionKey), now() + limits.ttlMs],
  );
  return (await useSession(session, sessionKey, options)) ?? new Map<string, string>();
}

async function saveMarks(session: Session, sessionKey: string, marks: SessionMarks): Promise<void> {
  await session.all('UPDATE sessions SET marks = $1 WHERE key = $2', [
    JSON.stringify([...marks]),
    session.dialect.key(sessionKey),
  ]);
}
