import type { SessionLimits, SessionMarks, SessionStore } from '../sessions.ts';
import type { Session, Transactions } from './database.ts';
import { keyOf } from './keys.ts';

export interface SessionOptions {
  readonly url: string;
  readonly limits: SessionLimits;
  readonly now: () => number;
}

/** Catalogue sessions that every process on the database knows. */
export function createPostgresSessions(database: Transactions, options: SessionOptions): SessionStore {
  return {
    url: options.url,
    read: async (sessionKey) => await database.transaction((session) => useSession(session, sessionKey, options)),
    async mark(sessionKey, marks) {
      await database.transaction((session) => markSession(session, sessionKey, marks, options));
    },
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
        await session.all('DELETE FROM sessions WHERE key = $1', [keyOf(sessionKey)]);
        return alive;
      }),
    close: () => database.close(),
  };
}

/** Locks the session's row, so that what others add meanwhile waits. */
async function useSession(
  session: Session,
  sessionKey: string,
  { limits, now }: SessionOptions,
): Promise<Map<string, string> | undefined> {
  const row = await session.get(
    `UPDATE sessions SET expires_at = $1, used = nextval('session_uses') WHERE key = $2 AND expires_at > $3
     RETURNING marks`,
    [now() + limits.ttlMs, keyOf(sessionKey), now()],
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
  await session.all(
    `DELETE FROM sessions WHERE key IN (
       SELECT key FROM sessions ORDER BY used
       LIMIT greatest(0, (SELECT count(*) FROM sessions) + 1 - $1) FOR UPDATE SKIP LOCKED
     )`,
    [limits.maxSessions],
  );
  await session.all(
    `INSERT INTO sessions (key, used, expires_at, marks) VALUES ($1, nextval('session_uses'), $2, '[]')
     ON CONFLICT DO NOTHING`,
    [keyOf(sessionKey), now() + limits.ttlMs],
  );
  return (await useSession(session, sessionKey, options)) ?? new Map<string, string>();
}

async function saveMarks(session: Session, sessionKey: string, marks: SessionMarks): Promise<void> {
  await session.all('UPDATE sessions SET marks = $1 WHERE key = $2', [JSON.stringify([...marks]), keyOf(sessionKey)]);
}
