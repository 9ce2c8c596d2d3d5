/** A text that was pruned, kept whole so that any of its lines can be given back. */
export interface StoredText {
  readonly pruneId: string;
  readonly text: string;
  /** The number of the text's first line, when it is a window of a larger file. */
  readonly firstLine: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** What the text was pruned for, so that a person finds it again. */
  readonly goal?: string;
}

/** A text on its way into a store: as a string, or as bytes of UTF-8 so that a large one need not be in memory twice. */
export interface TextToKeep extends Omit<StoredText, 'text'> {
  readonly text: string | Uint8Array;
}

/** What a list of kept texts says of each. */
export interface StoredSummary extends Omit<StoredText, 'text' | 'firstLine'> {
  /** What the text takes in the store. */
  readonly bytes: number;
}

export interface RecentQuery {
  /** The most texts to name, the newest first. */
  readonly limit: number;
  /** Only texts whose id begins like this. */
  readonly prefix?: string;
}

export interface StoreLimits {
  /** How long a text stays recoverable after it was put, as decided by the store that put it. */
  readonly ttlMs: number;
  /** The most bytes all kept texts may take together; the oldest go first. Bounds their number too (see bounds.ts). */
  readonly maxBytes: number;
  /**
   * Texts of different quotas never push each other out; each quota has `maxBytes` of its own. The empty one when absent.
   */
  readonly quota?: string;
}

/**
 * Where pruned texts wait to be recovered.
 * `put` resolves only when the text is safe: for a durable store, after a crash too.
 */
export interface RecoveryStore {
  readonly url: string;
  /**
   * Throws `EngineError('store_failed')` when the text cannot be kept, also when it alone exceeds `maxBytes`.
   * `ttlMs` is for this text alone, in place of the store's own.
   */
  put(entry: TextToKeep, ttlMs?: number): Promise<void>;
  /** The text, or undefined when the id is unknown, expired or evicted. */
  get(pruneId: string): Promise<StoredText | undefined>;
  close(): Promise<void>;
}

/** A store that can name what it holds. */
export interface ListingStore extends RecoveryStore {
  /** Texts that can be recovered now, the newest first. */
  recent(query: RecentQuery): Promise<readonly StoredSummary[]>;
}

/** One text may take 64 MiB, the most that is captured of a command: several of them fit. */
export const DEFAULT_STORE_LIMITS: StoreLimits = { ttlMs: 24 * 3600 * 1000, maxBytes: 256 * 1024 * 1024 };
