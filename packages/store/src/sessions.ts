export interface SessionLimits {
  /** How long a session lives after it was last used. */
  readonly ttlMs: number;
  /** The most sessions; the least recently used go first. */
  readonly maxSessions: number;
}

export const DEFAULT_SESSION_LIMITS: SessionLimits = { ttlMs: 30 * 60 * 1000, maxSessions: 10_000 };

/** What a session has been sent: the hash of each tool's definition, by the tool's name. */
export type SessionMarks = ReadonlyMap<string, string>;

/**
 * Remembers per session which definitions of the catalogue its agent already has. Keys, names and hashes are data: any
 * string comes back as it was. An expired session is gone: its marks never come back.
 */
export interface SessionStore {
  readonly url: string;
  /** The marks of a living session, whose time starts anew; undefined when there is none. */
  read(sessionKey: string): Promise<SessionMarks | undefined>;
  /**
   * Adds to the marks of a session, or begins it, and starts its time anew. Marks that others add at the same moment
   * stay; of two marks for one name the later stays. With no marks it only keeps the session alive or begins it.
   */
  mark(sessionKey: string, marks: SessionMarks): Promise<void>;
  /** Takes marks off, for definitions that did not reach the agent or are no more. A missing session stays missing. */
  unmark(sessionKey: string, names: readonly string[]): Promise<void>;
  /** Forgets a session. False when there was none alive. */
  remove(sessionKey: string): Promise<boolean>;
  close(): Promise<void>;
}
