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

/**
 * Where pruned texts wait to be recovered.
 * `put` resolves only when the text is safe: for a durable store, after a crash too.
 */
export interface RecoveryStore {
  readonly url: string;
  /**
   * Throws `EngineError('store_failed')` when the text cannot be kept, also when it alone exceeds what the store may hold.
   * `ttlMs` is for this text alone, in place of the store's own.
   */
  put(entry: TextToKeep, ttlMs?: number): Promise<void>;
  /** The text, or undefined when the id is unknown, expired or evicted. */
  get(pruneId: string): Promise<StoredText | undefined>;
  close(): Promise<void>;
}
