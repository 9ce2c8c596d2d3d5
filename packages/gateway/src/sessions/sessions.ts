import type { SessionMarks, SessionStore } from '@jeeves/store';

/** What the agent of each session has been sent. */
export interface CatalogueSessions {
  /** The hash of each definition that the session's agent has, by name. Keeps the session alive. */
  readonly sent: (key: string) => Promise<SessionMarks>;
  /** Call it once a reply has been written, never before: a lost reply must be sent again. */
  readonly delivered: (key: string, marks: SessionMarks) => void;
  /** Resolves when everything that was delivered is on record. */
  readonly settled: () => Promise<void>;
}

export interface SessionsOptions {
  readonly store: SessionStore;
  /** A store that fails costs tokens, never a tool: definitions are then sent again. */
  readonly onProblem?: (message: string) => void;
}

const NOTHING: SessionMarks = new Map();

export function createCatalogueSessions({ store, onProblem }: SessionsOptions): CatalogueSessions {
  // Marks on their way to the store, so that the next call of the same session sees them.
  const pending = new Map<string, Promise<void>>();

  function report(cause: unknown): void {
    onProblem?.(cause instanceof Error ? cause.message : String(cause));
  }

  async function sent(key: string): Promise<SessionMarks> {
    await pending.get(key);
    try {
      return (await store.read(key)) ?? NOTHING;
    } catch (cause) {
      report(cause);
      return NOTHING;
    }
  }

  function delivered(key: string, marks: SessionMarks): void {
    // One after the other: of two replies the one written last is what the agent knows.
    const before = pending.get(key) ?? Promise.resolve();
    const marking = before.then(() => store.mark(key, marks)).catch(report);
    pending.set(key, marking);
    void marking.then(() => {
      if (pending.get(key) === marking) pending.delete(key);
    });
  }

  return {
    sent,
    delivered,
    settled: async () => {
      await Promise.all(pending.values());
    },
  };
}
