import { EngineError } from '@jeeves/engine';
import { DEFAULT_SESSION_LIMITS, type SessionLimits, type SessionMarks, type SessionStore } from '../sessions.ts';

export interface MemorySessionOptions {
  /** Defaults to `DEFAULT_SESSION_LIMITS`. */
  readonly limits?: SessionLimits;
  /** The clock that decides expiry. Defaults to `Date.now`. */
  readonly now?: () => number;
}

/** Keeps sessions in this process only: nothing survives it. */
export function createMemorySessionStore(options: MemorySessionOptions = {}): SessionStore {
  return new MemorySessions(options.limits ?? DEFAULT_SESSION_LIMITS, options.now ?? Date.now);
}

interface Session {
  readonly marks: Map<string, string>;
  expiresAt: number;
}

class MemorySessions implements SessionStore {
  readonly url = 'memory:';
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  /** Every use moves a session to the end, so the first is the least recently used and the first to expire. */
  readonly #sessions = new Map<string, Session>();
  #closed = false;

  constructor(limits: SessionLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  async read(sessionKey: string): Promise<SessionMarks | undefined> {
    const session = this.#use(sessionKey);
    return session === undefined ? undefined : new Map(session.marks);
  }

  async mark(sessionKey: string, marks: SessionMarks): Promise<void> {
    const session = this.#use(sessionKey) ?? this.#begin(sessionKey);
    for (const [name, hash] of marks) session.marks.set(name, hash);
  }

  async unmark(sessionKey: string, names: readonly string[]): Promise<void> {
    const session = this.#use(sessionKey);
    for (const name of names) session?.marks.delete(name);
  }

  async remove(sessionKey: string): Promise<boolean> {
    const alive = this.#use(sessionKey) !== undefined;
    this.#sessions.delete(sessionKey);
    return alive;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#sessions.clear();
  }

  #use(sessionKey: string): Session | undefined {
    if (this.#closed) throw new EngineError('store_failed', 'The memory store is closed.');
    const session = this.#sessions.get(sessionKey);
    this.#sessions.delete(sessionKey);
    if (session === undefined || session.expiresAt <= this.#now()) return undefined;
    session.expiresAt = this.#now() + this.#limits.ttlMs;
    this.#sessions.set(sessionKey, session);
    return session;
  }

  #begin(sessionKey: string): Session {
    const now = this.#now();
    for (const [key, { expiresAt }] of this.#sessions) {
      if (expiresAt > now && this.#sessions.size < this.#limits.maxSessions) break;
      this.#sessions.delete(key);
    }
    const session = { marks: new Map<string, string>(), expiresAt: now + this.#limits.ttlMs };
    this.#sessions.set(sessionKey, session);
    return session;
  }
}
