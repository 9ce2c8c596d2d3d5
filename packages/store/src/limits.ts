/** How much a recovery store keeps, and for how long. */
export interface StoreLimits {
  /** How long a text stays recoverable after it was put, as decided by the store that put it. */
  readonly ttlMs: number;
  /** The most bytes all kept texts may take together; the oldest go first. Bounds their number too (see bounds.ts). */
  readonly maxBytes: number;
}

/** One text may take 64 MiB, the most that is captured of a command: several of them fit. */
export const DEFAULT_STORE_LIMITS: StoreLimits = { ttlMs: 24 * 3600 * 1000, maxBytes: 256 * 1024 * 1024 };
