import { packText } from '../packing.ts';
import type { SessionLimits, SessionMarks, SessionStore } from '../sessions.ts';
import type { Connection } from './connection.ts';
import type { Submit } from './turns.ts';

export interface SessionOptions {
  readonly limits: SessionLimits;
  readonly now: () => number;
}

/** Sessions in the one file. Every use is a write: it starts the session's time anew. */
export function createSqliteSessions(
  url: string,
  submit: Submit,
  close: () => Promise<void>,
  options: SessionOptions,
): SessionStore {
  return {
    url,
    read: (sessionKey) => submit((db) => useSession(db, sessionKey, options)),
    mark: (sessionKey, marks) => submit((db) => markSession(db, sessionKey, marks, options)),
    unmark: (sessionKey, names) =>
      submit((db) => {
        const left = useSession(db, sessionKey, options);
        if (left === undefined || !names.some((name) => left.delete(name))) return;
        for (const name of names) left.delete(name);
        saveSession(db, sessionKey, left, options);
      }),
    remove: (sessionKey) =>
      submit((db) => {
        const alive = useSession(db, sessionKey, options) !== undefined;
        db.run('DELETE FROM sessions WHERE key = ?', [packText(sessionKey)]);
        return alive;
      }),
    close,
  };
}

function useSession(
  db: Connection,
  sessionKey: string,
  { limits, now }: SessionOptions,
): Map<string, string> | undefined {
  const key = packText(sessionKey);
  const row = db.get('SELECT marks FROM sessions WHERE key = ? AND expires_at > ?', [key, now()]);
  if (row === undefined) return undefined;
  db.run('UPDATE sessions SET expires_at = ?, used = (SELECT max(used) + 1 FROM sessions) WHERE key = ?', [
    now() + limits.ttlMs,
    key,
  ]);
  return new Map(JSON.parse(String(row['marks'])) as [string, string][]);
}

function markSession(db: Connection, sessionKey: string, marks: SessionMarks, options: SessionOptions): void {
  const known = useSession(db, sessionKey, options);
  if (known === undefined) makeRoom(db, sessionKey, options);
  else if ([...marks].every(([name, hash]) => known.get(name) === hash)) return;
  saveSession(db, sessionKey, new Map([...(known ?? []), ...marks]), options);
}

/** Drops what has expired, and the least recently used, until one more fits. */
function makeRoom(db: Connection, sessionKey: string, { limits, now }: SessionOptions): void {
  db.run('DELETE FROM sessions WHERE expires_at <= ? OR key = ?', [now(), packText(sessionKey)]);
  const excess = Number(db.get('SELECT count(*) AS n FROM sessions')?.['n']) + 1 - limits.maxSessions;
  if (excess <= 0) return;
  db.run('DELETE FROM sessions WHERE key IN (SELECT key FROM sessions ORDER BY used LIMIT ?)', [excess]);
}

function saveSession(db: Connection, sessionKey: string, marks: SessionMarks, { limits, now }: SessionOptions): void {
  db.run(
    `INSERT OR REPLACE INTO sessions (key, used, expires_at, marks)
     VALUES (?, (SELECT coalesce(max(used), 0) + 1 FROM sessions), ?, ?)`,
    [packText(sessionKey), now() + limits.ttlMs, JSON.stringify([...marks])],
  );
}
