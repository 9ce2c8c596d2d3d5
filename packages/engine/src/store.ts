/** A text that was pruned, kept whole so that any of its lines can be given back. */
export interface StoredText {
  readonly pruneId: string;
  readonly text: string;
  /** The number of the text's first line, when it is a window of a larger file. */
  readonly firstLine: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
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
  put(entry: StoredText, ttlMs?: number): Promise<void>;
  /** The text, or undefined when the id is unknown, expired or evicted. */
  get(pruneId: string): Promise<StoredText | undefined>;
  close(): Promise<void>;
}
